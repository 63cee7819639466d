package main

import "fmt"

// persons are the demo members and their bios.
var persons = [][2]string{
	{"mira", "Backend engineer in Lisbon. I like **boring** technology and exciting bread."},
	{"tobias_w", "Woodturner, beekeeper, slow reader."},
	{"okonkwo", "Compilers by day, jollof by night."},
	{"hanna-k", "PhD student, soft-matter physics. Ask me about foam."},
	{"delphine", "I fix bicycles and the occasional build pipeline."},
	{"raj_p", "SRE. My pager and I have an understanding."},
	{"quietharbor", "Mostly here to read."},
	{"lena", "Cook, formerly professional, now merely obsessive."},
	{"tenfingers", "Piano, typing, woodworking. Still ten."},
	{"bogdan", "Kernel patches and mushroom hunting."},
	{"ines", "Teacher. I steal everything posted here for my lessons."},
	{"marsh_tit", "Birds, statistics, birds in statistics."},
	{"yuki_o", "Type theory enthusiast. No, a monad is *not* a burrito."},
	{"caspian", "I restore old radios. Some of them even work."},
	{"farida", "Astronomer at a small observatory with a big heart."},
	{"plankton", "Oceanography and long comments."},
	{"georg", "Retired machinist. Measure twice."},
	{"sol", "Gardener, home cook, reluctant plumber."},
	{"nadia_b", "Security researcher. I read your headers."},
	{"wintergreen", "Linux since it came on floppies."},
	{"amara", "Historian of trade routes. Everything is a trade route."},
	{"pepijn", "Makes maps, collects maps, gets lost."},
	{"two_stroke", "Engines and essays."},
	{"elif", "Chemist. Do not lick the science."},
	{"hollis", "Bookbinder. Yes, the paper kind."},
	{"juno", "Learning Go by writing a terrible synthesizer."},
	{"kestrel", "Data journalist. Show me the denominator."},
	{"marek", "Dad, carpenter, amateur of everything else."},
	{"oona", "Philosophy graduate, so I write software."},
	{"pascal_d", "Numbers, mostly prime."},
	{"rowan", "I answer questions about soil."},
	{"sanna", "Embedded developer. 8 KB should be enough."},
	{"theo", "Student. Will ask the obvious question."},
	{"umbra", "Night-shift nurse and daytime baker."},
	{"vera", "Linguist. I am fine with *literally*."},
	{"zeynep", "Runs a repair café on Saturdays."},
}

// person returns the n-th demo member, for any n.
func person(n int) (name, bio string) {
	p := persons[n%len(persons)]
	if round := n / len(persons); round > 0 {
		return fmt.Sprintf("%s%d", p[0], round+1), p[1]
	}
	return p[0], p[1]
}

// ownPosts are posts of the members: community, title, text, link. Posts of communities that do not exist are skipped.
var ownPosts = [][4]string{
	{"golang", "What is your smallest useful program?", "Mine is forty lines that watch a folder and rename what my scanner drops into " +
		"it.\n\nIt has run for two years without a restart. **What is yours?**", ""},
	{"golang", "Table tests with names that read as sentences", "I began to name the cases in my table tests as " +
		"sentences:\n\n```go\n{\"refuses a title of 301 characters\", long, false},\n```\n\nThe failures explain themselves now. Anyone else?",
		""},
	{"golang", "The Go memory model, read slowly", "A group of us read it paragraph by paragraph. Notes welcome.", "https://go.dev/ref/mem"},
	{"programming", "Delete a feature this week", "We removed an export format that three customers used. We called all three. Two had " +
		"forgotten about it, the third was happy with CSV.\n\nWhat have you deleted lately?", ""},
	{"programming", "How SQLite is tested", "Worth rereading every year: the ratio of test code to code alone.",
		"https://www.sqlite.org/testing.html"},
	{"Cooking", "The one thing that improved my bread", "A thermometer. Not flour, not a fancy oven. *96 °C in the middle* and it is done, " +
		"every time.", ""},
	{"Cooking", "Cheap dinners you are proud of?", "Mine: red lentils, a tin of tomatoes, cumin, a lot of onions cooked for longer than " +
		"seems reasonable.", ""},
	{"linux", "A quiet laptop: what worked for me", "1. Lower the power limit instead of the fan curve.\n2. Stop the indexer.\n3. Clean the " +
		"fan. It was the fan.", ""},
	{"linux", "The kernel's own documentation is better than you remember", "", "https://docs.kernel.org/"},
	{"askscience", "Why does a kettle get quieter just before it boils?",
		"It hisses, gets loud, and then goes almost silent right before the real boil. What happens in that moment?", ""},
	{"askscience", "Do fish know that they are wet?", "Half a joke, half serious: can an animal sense something that never changes around it?",
		""},
	{"woodworking", "First dovetails that close", "It took eleven tries. The trick was a sharper saw and less hurry. I keep try number one " +
		"on the shelf, for humility.", ""},
	{"space", "What can you see from a city balcony?", "More than I thought: Jupiter's moons with old binoculars on a tripod, four nights " +
		"in a row, and you can watch them move.", ""},
	{"books", "Books you finished and began again at once", "For me *The Left Hand of Darkness*. The second reading was a different book.",
		""},
	{"history", "Which small invention changed most?", "My vote goes to the shipping label.", ""},
	{"netsec", "A phishing test that taught us something", "Nobody fell for the obvious one. A third of us fell for a calendar invitation. " +
		"We changed the invitation settings, not the people.", ""},
	{"Python", "The standard library module you found too late", "`pathlib`, obviously, but also `graphlib`. It had been there all the time.",
		""},
	{"dataisbeautiful", "My heating, hour by hour, for a year", "The one grey stripe in February is when I forgot to come home.", ""},
}
