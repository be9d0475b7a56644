#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests that the commands, options, packages and settings in messages exist.
exec python3 "$(dirname "$(readlink -f "$0")")/advice.py"
