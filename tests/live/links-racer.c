/* SPDX-License-Identifier: MIT */
/*
 * links-racer TARGET NAME...: puts symbolic links to TARGET in the place of these names, again and
 * again, until it is killed. What perf record must not be led astray by.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	for (;;) {
		for (int i = 2; i < argc; i++) {
			if (symlink(argv[1], argv[i]) < 0) {
				unlink(argv[i]);
				if (symlink(argv[1], argv[i]) < 0)
					continue;
			}
		}
	}
}
