// SPDX-License-Identifier: MIT
// The first walk of the tutorial: a program that computes. It counts the words of a text that it makes up.
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

class Catalogue {
public:
	void put(const std::string &word)
	{
		for (auto &entry : entries_)
			if (entry.first == word) {
				entry.second++;
				return;
			}
		entries_.emplace_back(word, 1);
	}

	size_t size() const { return entries_.size(); }

private:
	std::vector<std::pair<std::string, int>> entries_;
};

static std::string make_word(std::minstd_rand &random)
{
	std::string word;

	for (int i = 0; i < 3; i++)
		word += char('a' + random() % 12);
	return "word-" + word;
}

int main()
{
	std::minstd_rand random(1);
	Catalogue catalogue;

	for (int i = 0; i < 200000; i++)
		catalogue.put(make_word(random));
	std::printf("%zu different words\n", catalogue.size());
}
