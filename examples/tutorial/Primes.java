// SPDX-License-Identifier: MIT
// The fifth walk of the tutorial: code that is compiled while it runs.
public class Primes {
	static boolean isPrime(int n) {
		for (int i = 2; i < n; i++)
			if (n % i == 0)
				return false;
		return n > 1;
	}

	static int countPrimes(int limit) {
		int n = 0;
		for (int i = 0; i < limit; i++)
			n += isPrime(i) ? 1 : 0;
		return n;
	}

	public static void main(String[] args) {
		System.out.println(countPrimes(60000));
	}
}
