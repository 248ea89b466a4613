# SPDX-License-Identifier: GPL-2.0-only
"""Results as tables, and ratios beside what is wanted."""
import statistics
from typing import Any, Dict, List, Optional, Tuple

import callgrind
from variants import Plan

INSTRUCTION_NS = 2  # -icount shift=1
Results = List[Dict[str, Any]]
Medians = Dict[Tuple[str, int], float]


def failures(results: Results) -> None:
    """What could not be measured, each once."""
    for title, reason in dict.fromkeys(
            (one["title"], one["failed"]) for one in results
            if "failed" in one):
        print(f"not measured: {title}: {reason}")


def cell(values: List[float]) -> str:
    """Median and spread."""
    if not values:
        return "-"
    middle = statistics.median(values)
    spread = (max(values) - min(values)) / middle
    return f"{middle:,.0f} ({spread * 100:.1f} %)"


def speed(plan: Plan, results: Results) -> Medians:
    """Print IOPS; the medians."""
    depths = sorted({d for row in plan.speed for d in row.depths})
    print(f"IOPS of 4 KiB random reads, median of {plan.repeats} and (most - "
          f"least) / median;\none job, the clock counts instructions of "
          f"{INSTRUCTION_NS} ns\n")
    width = max(len(row.title) for row in plan.speed) + 2
    print(" " * width + "".join(f"{f'depth {d}':>18}" for d in depths))
    medians: Medians = {}
    for row in plan.speed:
        words = ""
        for depth in depths:
            values = [one["iops"] for one in results if "iops" in one and
                      (one["title"], one["depth"]) == (row.title, depth)]
            if values:
                medians[row.title, depth] = statistics.median(values)
            words += f"{cell(values):>18}"
        print(f"{row.title:{width}}{words}")
    print()
    return medians


def ratio(what: str, top: Optional[float], bottom: Optional[float],
          wanted: float, at_most: bool = False) -> None:
    """A line: the ratio, the bound if there is one, and what is missing."""
    if not top or not bottom:
        print(f"{what:52}not measured")
        return
    value = top / bottom
    if not wanted:
        print(f"{what:52}{value:7.3f}")
        return
    missing = value - wanted if at_most else wanted - value
    print(f"{what:52}{value:7.3f}   wanted {'<=' if at_most else '>='} "
          f"{wanted:.2f}" + (f"   short by {missing:.3f}" if missing > 0
                             else ""))


def speed_ratios(plan: Plan, medians: Medians) -> None:
    """The engine against the others."""
    for one in plan.ratios:
        (name, depth), (other, other_depth) = one.top, one.bottom
        at = f"depth {depth}" if depth == other_depth \
            else f"depth {depth} and {other_depth}"
        ratio(f"{name} / {other}, {at}", medians.get(one.top),
              medians.get(one.bottom), one.wanted)
    print()


def instructions(plan: Plan, results: Results, medians: Medians) -> None:
    """Print what an I/O costs in user space, and whose that is."""
    engine = plan.counted[0]
    depth = engine.depths[0]
    profiles = {one["title"]: callgrind.from_rows(one["profile"])
                for one in results if "profile" in one}
    print(f"Instructions of user space per I/O at depth {depth}, difference "
          f"of runs with\n{plan.ios[0]:,} and {plan.ios[1]:,} I/Os\n")
    if engine.title not in profiles:
        print("without the engine's own nothing can be said of the others")
        return
    path = engine.options[0].partition("=")[2]
    part = callgrind.shares(profiles[engine.title], path, plan.fio)
    core = profiles[engine.title].total() - part.own()
    print(f"{'':26}{'total':>8}{'core':>8}{'own':>8}{'kernel':>10}")
    for row in plan.counted:
        if row.title not in profiles:
            continue
        total = profiles[row.title].total()
        iops = medians.get((row.title, depth))
        kernel = f"{1e9 / INSTRUCTION_NS / iops - total:,.0f}" if iops else ""
        print(f"{row.title:26}{total:8,.0f}{core:8,.0f}{total - core:8,.0f}"
              f"{kernel:>10}")
    print(f"\nown of {engine.title}: {part.engine:.1f} itself, {part.ring:.1f} "
          f"liburing, {part.libraries:.1f} libraries;\nnot in it: "
          f"{part.fio:.1f} in functions of fio that it calls\n")
    if abs(part.entered - part.own() - part.fio) > 1:
        print(f"this does not add up: fio calls it for {part.entered:.1f}\n")
    for row in plan.counted[1:]:
        if row.title in profiles:
            theirs = profiles[row.title].total() - core
            ratio(f"own, {engine.title} / {row.title}", part.own(), theirs,
                  plan.own, at_most=True)
            ratio("  with the functions of fio", part.own() + part.fio,
                  theirs + part.fio, plan.own, at_most=True)
    print()


def functions(results: Results, number: int) -> None:
    """Where the instructions go."""
    for one in results:
        if "profile" not in one:
            continue
        profile = callgrind.from_rows(one["profile"])
        print(f"{one['title']}: {profile.total():,.0f} instructions per I/O")
        for count, name, ob in callgrind.top(profile, number):
            print(f"{count:9.1f}  {name}  [{ob}]")
        print()


def show(plan: Plan, results: Results, number: int) -> None:
    """All of it."""
    medians: Medians = {}
    if plan.speed:
        medians = speed(plan, results)
        speed_ratios(plan, medians)
    if plan.counted:
        instructions(plan, results, medians)
    if number:
        functions(results, number)
    failures(results)
