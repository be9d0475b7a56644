#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs by other authors read the output of `perf data convert`, and find the samples, stacks and names of its JSON.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/live/in-python
. "$here/in-python"
python3 -B "$here/export-readers.py"
