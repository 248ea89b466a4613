# SPDX-License-Identifier: GPL-2.0-only
"""Real applications on a drive: sysbench, MariaDB, PostgreSQL."""
