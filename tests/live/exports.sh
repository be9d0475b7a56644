#!/bin/sh
# SPDX-License-Identifier: MIT
# The output of `perf data convert` has the samples, stacks, names and times of its JSON, and the programs for these
# formats can read it.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/live/in-python
. "$here/in-python"
python3 -B "$here/exports.py"
