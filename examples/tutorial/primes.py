# SPDX-License-Identifier: MIT
# The fifth walk of the tutorial: code that is interpreted.
def is_prime(n):
    for i in range(2, n):
        if n % i == 0:
            return False
    return n > 1


def count_primes(limit):
    return sum(is_prime(i) for i in range(limit))


print(count_primes(6000))
