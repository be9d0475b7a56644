// SPDX-License-Identifier: MIT
// Three quarters of the time are heavy()'s, one is light()'s; both recurse.
public class Load {
	static volatile long sink;

	static long spin(long n) {
		long s = sink;
		for (long i = 0; i < n; i++) {
			s = s * 31 + (s >> 3) + i; // line 9
			s ^= s << 7;
		}
		return s;
	}

	static long recurse(int depth, long n) {
		if (depth > 0)
			return recurse(depth - 1, n) + 1; // line 17
		return spin(n); // line 18
	}

	static void heavy() {
		sink += recurse(4, 3000000); // line 22
	}

	static void light() {
		sink += recurse(2, 1000000); // line 26
	}

	interface Work {
		void run();
	}

	public static void main(String[] args) {
		Work[] works = { Load::heavy, () -> light() };
		long end = System.nanoTime() + 1000000000L * Long.parseLong(args[0]);
		while (System.nanoTime() < end)
			for (Work w : works)
				w.run(); // line 38
	}
}
