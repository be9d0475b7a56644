// SPDX-License-Identifier: MIT
// The fifth walk of the tutorial: code that is compiled while it runs.
function isPrime(n) {
	for (let i = 2; i < n; i++)
		if (n % i === 0)
			return false;
	return n > 1;
}

function countPrimes(limit) {
	let n = 0;
	for (let i = 0; i < limit; i++)
		n += isPrime(i);
	return n;
}

console.log(countPrimes(60000));
