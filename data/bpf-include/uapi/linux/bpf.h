/* SPDX-License-Identifier: MIT */
/* The kernel's own sources call it so; programs of the first years do, too. */
#pragma once
#include <linux/bpf.h>
