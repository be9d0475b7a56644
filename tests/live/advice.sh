#!/bin/sh
# SPDX-License-Identifier: MIT
# Commands, options, packages and settings that messages name exist.
exec python3 "$(dirname "$(readlink -f "$0")")/advice.py"
