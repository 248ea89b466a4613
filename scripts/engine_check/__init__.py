# SPDX-License-Identifier: GPL-2.0-only
"""Does a fio engine do what fio and its users rely on?"""
