# SPDX-License-Identifier: GPL-2.0-only
"""The manual page and the completion know what the parser knows."""
import re
import shutil
import subprocess
import unittest

import support
from fio_review import manual, parser


class Manual(unittest.TestCase):
    def setUp(self):
        self.top, self.commands = parser.build()
        self.page = manual.man_page(self.top, self.commands)
        self.completion = manual.bash_completion(self.top, self.commands)

    def options(self, command):
        return sorted(name for one in manual.options_of(command)
                      for name in one.option_strings)

    def test_every_option_has_its_place_in_the_manual_page(self):
        for name, command in self.commands.items():
            section = self.page.split(f".SS fio\\-review {name}\n")[1]
            section = re.split(r"^\.S[SH] ", section, flags=re.M)[0]
            heads = re.findall(r"^\.B (\S.*?)(?: \\fI.*)?$", section, re.M)
            found = [one.replace("\\", "") for head in heads
                     for one in head.split(", ")]
            self.assertEqual(sorted(found), self.options(command))

    def test_every_option_is_completed(self):
        for name, command in self.commands.items():
            words = re.search(rf'^\t{name}\) options="(.*)" ;;$',
                              self.completion, re.M)[1].split()
            self.assertEqual(sorted(words), self.options(command))

    def test_the_completion_works_in_bash(self):
        done = subprocess.run(
            ["bash", "-c", self.completion + """
COMP_WORDS=(fio-review run --fill re) COMP_CWORD=3
_fio_review; echo "${COMPREPLY[@]}"
"""], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(done.stdout, "region\n")

    @unittest.skipUnless(shutil.which("man"), "man is not installed")
    def test_roff_finds_no_fault(self):
        done = subprocess.run(
            ["man", "--warnings", "-l", "-"], input=self.page, text=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True,
            env={"MANWIDTH": "80", "LC_ALL": "C.UTF-8",
                 "PATH": support.os.environ["PATH"]})
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
