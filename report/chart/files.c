/* SPDX-License-Identifier: GPL-2.0-only */
#include "chart/files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static bool is_stem(const char *stem)
{
	return *stem && !stem[strspn(stem, "abcdefghijklmnopqrstuvwxyz"
					   "0123456789-")];
}

static int write_file(const char *dir, const char *stem, const char *suffix,
		      const struct rp_str *text, struct rp_err *err)
{
	char *path = rp_strf("%s/%s%s", dir, stem, suffix);
	int ret;

	if (!path || rp_str_failed(text))
		ret = rp_err_set(err, -ENOMEM, "out of memory for a chart");
	else
		ret = rp_file_write(path, rp_str_text(text), text->len, err);
	free(path);
	return ret;
}

int rp_chart_stem_check(const char *stem, struct rp_err *err)
{
	if (is_stem(stem))
		return 0;
	return rp_err_set(err, -EINVAL,
			  "a chart's file name may hold only a-z, 0-9 and -");
}

int rp_chart_files_write(const char *dir, const char *stem,
			 const struct rp_str *data, const struct rp_str *script,
			 struct rp_err *err)
{
	int ret = write_file(dir, stem, ".dat", data, err);
	return ret ? ret : write_file(dir, stem, ".gp", script, err);
}

void rp_chart_pictures_begin(const char *stem, struct rp_str *out)
{
	rp_str_addf(out,
		    "\n# Once as SVG, once as PNG of twice the size.\n"
		    "do for [kind in 'svg png'] {\n"
		    "if (kind eq 'svg') {\n"
		    "\tset terminal svg size W,H dynamic background rgb "
		    "'white' noenhanced font 'sans-serif,12'\n"
		    "} else {\n"
		    "\tset terminal pngcairo size 2*W,2*H background rgb "
		    "'white' noenhanced font 'sans-serif,12' fontscale 1.5 "
		    "linewidth 2 pointscale 2\n"
		    "}\n"
		    "set output '%s.' . kind\n",
		    stem);
}

void rp_chart_pictures_end(struct rp_str *out)
{
	rp_str_add(out, "}\nset output\n");
}
