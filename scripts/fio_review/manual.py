# SPDX-License-Identifier: GPL-2.0-only
"""The manual page and the completion, made from the parsers."""
import argparse
from typing import List

from . import VERSION
from .parser import EXAMPLES, Commands


def _roff(text: str) -> str:
    """Text for roff: nothing in it may act."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line
                     for line in escaped.split("\n"))


def options_of(parser: argparse.ArgumentParser) -> List[argparse.Action]:
    """The options of a parser, without its positional arguments."""
    return [one for one in parser._actions  # argparse has no public list
            if one.option_strings]


def _value(option: argparse.Action) -> str:
    if option.nargs == 0:
        return ""
    if option.choices:
        return "|".join(map(str, option.choices))
    return option.metavar if isinstance(option.metavar, str) \
        else option.dest.upper()


def _option(option: argparse.Action) -> List[str]:
    names = ", ".join(option.option_strings)
    value = _value(option)
    return [".TP", f".B {_roff(names)}" + (f" \\fI{_roff(value)}\\fR"
                                           if value else ""),
            _roff((option.help or "").replace("%%", "%")) + "."]


def _section(name: str, parser: argparse.ArgumentParser) -> List[str]:
    lines = [f".SS fio\\-review {name}"]
    if parser.description:
        lines.append(_roff(parser.description))
    for option in options_of(parser):
        lines += _option(option)
    return lines


def man_page(parser: argparse.ArgumentParser, commands: Commands) -> str:
    """fio-review(1) in roff."""
    lines = [f'.TH FIO\\-REVIEW 1 "" "fio-review {VERSION}"', ".SH NAME",
             "fio\\-review \\- measure load curves of a drive with fio",
             ".SH SYNOPSIS", ".B fio\\-review", ".I COMMAND", "[OPTIONS]",
             ".SH DESCRIPTION", _roff(parser.description or ""),
             ".SH COMMANDS"]
    for name, one in commands.items():
        lines += _section(name, one)
    lines += [".SH EXAMPLES AND EXIT STATUS", ".nf", _roff(EXAMPLES.rstrip()),
              ".fi", ".SH SEE ALSO", ".BR fio (1),", ".BR fio\\-report (1)"]
    return "\n".join(lines) + "\n"


def bash_completion(parser: argparse.ArgumentParser,
                    commands: Commands) -> str:
    """A function for bash: commands, options, their choices, files."""
    top = [name for one in options_of(parser) for name in one.option_strings]
    lines = ["# bash completion for fio-review, made by fio-review "
             "--completion bash",
             "_fio_review() {",
             "\tlocal word=${COMP_WORDS[COMP_CWORD]} options=",
             '\tif [ "$COMP_CWORD" -eq 1 ]; then',
             f'\t\tCOMPREPLY=($(compgen -W "{" ".join([*commands, *top])}" '
             '-- "$word"))',
             "\t\treturn", "\tfi", "\tcase ${COMP_WORDS[COMP_CWORD-1]} in"]
    for one in commands.values():
        for option in options_of(one):
            if option.choices:
                words = " ".join(map(str, option.choices))
                lines.append(f"\t{option.option_strings[-1]}) COMPREPLY=("
                             f'$(compgen -W "{words}" -- "$word")); return ;;')
    lines += ["\tesac", "\tcase ${COMP_WORDS[1]} in"]
    for name, one in commands.items():
        words = " ".join(names for option in options_of(one)
                         for names in option.option_strings)
        lines.append(f'\t{name}) options="{words}" ;;')
    lines += ["\tesac", "\tcase $word in",
              '\t-*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;',
              '\t*) COMPREPLY=($(compgen -f -- "$word")) ;;', "\tesac", "}",
              "complete -o filenames -F _fio_review fio-review"]
    return "\n".join(lines) + "\n"
