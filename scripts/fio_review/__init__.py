# SPDX-License-Identifier: GPL-2.0-only
"""The runner of fio-review: measures load curves with fio."""

VERSION = "0.1.0"
