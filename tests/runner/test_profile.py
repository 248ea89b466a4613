# SPDX-License-Identifier: GPL-2.0-only
"""The parser of a jobfile's head, and the choice of profiles."""
import unittest

import support
from fio_review import head, profile
from fio_review.errors import BAD_INPUT, USAGE, ReviewError

READ = "four-corners/4k-random-read"
HEAD = (support.JOBFILES / f"{READ}.fio").read_text()


class Head(support.TempCase):
    def load(self, text):
        path = self.dir / "x.fio"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return profile.load(path, "g/x")

    def fault(self, text):
        with self.assertRaises(ReviewError) as caught:
            self.load(text)
        self.assertEqual(caught.exception.code, BAD_INPUT)
        return str(caught.exception)

    def changed(self, key, value, text=HEAD):
        if f"# {key}:" not in text:
            return text.replace("# title:", f"# {key}: {value}\n# title:", 1)
        lines = [f"# {key}: {value}" if line.startswith(f"# {key}:") else line
                 for line in text.splitlines()]
        return "\n".join(lines)

    def test_reads_all_values(self):
        one = self.load(HEAD)
        self.assertEqual(
            (one.title, one.destructive, *one.streams[0].depth,
             one.block_bytes, one.read_percent, one.access),
            ("4K random read", False, 128, 1, 4096, 100, "random"))
        self.assertEqual(one.method,
                         "4 KiB, 100 % read, random, 128 threads x QD1")

    def test_an_engine_is_named_where_the_job_needs_one(self):
        self.assertIsNone(self.load(HEAD).engine)
        self.assertEqual(self.load(self.changed("engine", "x_1")).engine,
                         "x_1")

    def streams(self, share="99 + 1"):
        text = self.changed("share", share) if share else HEAD
        for key, value in (("outstanding", "35 threads x iodepth 1 + "
                            "1 thread x iodepth 1"),
                           ("block", "8k + 4k to 64k, mean 60k"),
                           ("mix", "80 + 1"),
                           ("access", "random + sequential")):
            text = self.changed(key, value, text)
        return text

    def test_streams_are_joined_key_by_key(self):
        one = self.load(self.streams())
        self.assertEqual([stream.share for stream in one.streams], [99, 1])
        self.assertEqual((one.outstanding, one.read_percent, one.block_bytes,
                          one.access), (36, 79.21, 8724, "mixed"))
        self.assertEqual(
            one.method, "99 %: 8 KiB, 80 % read, random, 35 threads x QD1; "
            "1 %: 4 KiB to 64 KiB (mean 60 KiB), 1 % read, sequential, "
            "1 thread x QD1")

    def test_streams_need_shares_that_make_a_whole(self):
        self.assertIn('lacks "# share: ..."', self.fault(self.streams("")))
        for share in ("50 + 49", "100 + 0", "x + 1"):
            with self.subTest(share):
                self.assertIn("expected percentages above 0",
                              self.fault(self.streams(share)))
        self.assertIn("expected 2 values", self.fault(self.streams("100")))

    def test_continuation_lines_are_joined(self):
        self.assertIn("at what latency as the load rises", self.load(HEAD).goal)

    def test_a_missing_key_is_named(self):
        for key in head.KEYS:
            with self.subTest(key):
                text = HEAD.replace(f"# {key}: ", "#   ", 1) if key != "title" \
                    else HEAD.replace("# title: 4K random read\n", "")
                self.assertIn(f'lacks "# {key}: ..."', self.fault(text))

    def test_a_job_that_leaves_the_target_is_refused(self):
        for line in ("filename=/dev/sda", "directory=/mnt",
                     "filename = ${TARGET}:/dev/sda"):
            with self.subTest(line):
                self.assertRegex(self.fault(HEAD + line + "\n"),
                                 r"x\.fio:\d+: .* would reach beyond")

    def test_options_that_keep_a_run_safe_are_needed(self):
        for line in ("filename=${TARGET}", "thread=1",
                     "allow_file_create=0"):
            with self.subTest(line):
                self.assertIn(f"lacks {line}",
                              self.fault(HEAD.replace(f"\n{line}\n", "\n")))

    def test_wrong_values_give_file_and_line(self):
        for key, value, wanted in (
                ("destructive", "maybe", "yes or no"),
                ("minutes", "soon", "minutes above 0"),
                ("minutes", "nan", "minutes above 0"),
                ("outstanding", "128", "N threads x iodepth M"),
                ("outstanding", "0 threads x iodepth 1", "N threads"),
                ("block", "4q", "a size such as 4k"),
                ("block", "0", "a size such as 4k"),
                ("mix", "101", "read share from 0 to 100"),
                ("block", "4k to 2k, mean 3k", "a size such as 4k"),
                ("block", "4k to 64k", "4k to 64k, mean 20k"),
                ("mix", "varies", "read share from 0 to 100"),
                ("region", "big", "a size such as 64m"),
                ("block", "4k to 64k, mean 65k", "a size such as 4k"),
                ("mix", "nan", "read share from 0 to 100"),
                ("mix", "80 + 1", "1 values"),
                ("access", "zigzag", "random or sequential"),
                ("share", "99", "percentages above 0"),
                ("method", "twice", "curve or single"),
                ("engine", "x/y", "the name of an I/O engine")):
            with self.subTest(f"{key}={value}"):
                text = self.changed(key, value)
                number = 1 + text.splitlines().index(f"# {key}: {value}")
                said = self.fault(text)
                self.assertIn(f"x.fio:{number}: {key} is '{value}'", said)
                self.assertIn(wanted, said)

    def test_an_empty_value_is_refused(self):
        self.assertIn("expected a value",
                      self.fault(self.changed("device", "")))

    def test_unknown_and_double_keys_are_refused(self):
        self.assertIn("x.fio:2: unknown key 'titel'",
                      self.fault("#\n# titel: x\n"))
        self.assertIn("x.fio:3: key 'title' stands twice",
                      self.fault("#\n# title: x\n# title: y\n"))

    def test_free_text_is_no_head(self):
        self.assertIn("x.fio:1: expected", self.fault("# Hello there\n"))

    def test_text_that_is_not_utf8_is_refused(self):
        self.assertIn("not UTF-8", self.fault(b"# title: \xff\n"))


class Choice(unittest.TestCase):
    def names(self, *wanted):
        return [one.id for one in profile.select(support.JOBFILES, wanted)]

    def test_a_group_gives_its_profiles_each_once(self):
        self.assertEqual(
            self.names("four-corners", READ),
            ["four-corners/4k-random-read", "four-corners/4k-random-write",
             "four-corners/64k-sequential-read",
             "four-corners/64k-sequential-write"])

    def test_an_unknown_name_suggests_a_near_one(self):
        with self.assertRaises(ReviewError) as caught:
            self.names("four-corner")
        self.assertEqual(caught.exception.code, USAGE)
        self.assertIn("did you mean four-corners", str(caught.exception))

    def test_all_is_what_any_engine_can_do(self) -> None:
        chosen = profile.select(support.JOBFILES, ["all"])
        ids = profile.find_ids(support.JOBFILES)
        self.assertEqual([one.id for one in chosen],
                         [one for one in ids if not one.startswith("sata/")])

    def test_an_engine_of_another_name_is_refused_with_the_way_out(self):
        chosen = profile.select(support.JOBFILES, ["four-corners", "sata"])
        for name in ("psync", "/x/nvme_pt.so", "sata_ncq.so.bak", ""):
            with self.subTest(name):
                with self.assertRaises(ReviewError) as caught:
                    profile.check_engine(chosen, name)
                self.assertEqual(caught.exception.code, USAGE)
                self.assertIn("--ioengine PATH/sata_ncq.so",
                              str(caught.exception))

    def test_an_engine_is_known_by_its_file_or_its_name(self):
        chosen = profile.select(support.JOBFILES, ["sata"])
        for name in ("sata_ncq", "/x/sata_ncq.so", "external:/x/sata_ncq.so"):
            profile.check_engine(chosen, name)
        profile.check_engine(profile.select(support.JOBFILES,
                                            ["four-corners"]), "psync")

    def test_a_path_outside_is_no_profile(self):
        with self.assertRaises(ReviewError):
            self.names("../jobfiles/four-corners/4k-random-read")


if __name__ == "__main__":
    unittest.main()
