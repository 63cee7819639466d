package main

import (
	"math/rand/v2"
	"strings"
)

// Comments are made by a small grammar. {name} is replaced by one of the lines of that name, recursively.
var grammar = map[string][]string{
	"code": {
		"{opener} we moved {system} to this last {season} and {result}. {codeTip}",
		"I maintain something similar. {opinion} The hard part was never {thing}, it was {otherThing}.",
		"Has anyone measured it? On our side {system} went from {n} ms to {m} ms, and most of that was {thing}.",
		"{opener} the example only works because {thing} happens to be small. With real data {result}.",
		"> {quote}\n\nThis. {opinion}",
		"For anybody who wants to try it:\n\n```\n{command}\n```\n\n{result2}",
		"{opinion} {codeTip}",
		"What does this do that {system} doesn't? Honest question, {reason}.",
	},
	"science": {
		"{opener} the effect is real but smaller than the title says. {scienceTip}",
		"I work near this field. {scienceTip} What I would like to see is {otherThing} in a second laboratory.",
		"Can somebody explain why {scienceThing} doesn't cancel out here? {reason}.",
		"A good way to picture it: {picture}.",
		"> {quote}\n\nIt depends on the scale. {scienceTip}",
		"{opinion} The part about {scienceThing} is what I will remember.",
	},
	"making": {
		"{opener} that is clean work. How long did {makingThing} take?",
		"I tried this in {season}. {result}. Next time I would {makingTip}.",
		"Word of advice from somebody who learned it the slow way: {makingTip}.",
		"Beautiful. {opinion}",
		"What did you use for {makingThing}? I only ever get it right {n} times out of a hundred.",
		"My grandmother did it exactly like this, and she would add: {makingTip}.",
	},
	"general": {
		"{opener} I had not seen it from that side. {opinion}",
		"{opinion} But I would like to hear from somebody who disagrees.",
		"This comes round every {season}, and every time I learn something from the comments.",
		"> {quote}\n\n{opinion}",
		"Saving this for later. {reason2}",
		"{opener} the first half is stronger than the second. {reason2}",
		"Somebody in my family went through this. It is less dramatic and more tedious than it sounds.",
	},
	"reply": {
		"{agree} {reason2}", "{agree}", "{disagree} {opinion}", "{disagree} In my case {result}.",
		"Do you have a source for that? I am not doubting it, {reason}.",
		"Thank you, that is the explanation I was missing.", "That is fair. {reason2}",
		"Exactly my experience: {result}.", "Could you say more about {otherThing}?",
		"Ha. I laughed, and then I checked, and you are right.", "I stand corrected.",
		"> {quote}\n\nWell, yes, but {result}.",
	},
	"opener": {"Nice write-up, but", "To be fair,", "For what it's worth,", "I was sceptical;", "Late to this:", "Small correction:",
		"Speaking from experience,", "Coming from the other camp,"},
	"opinion": {"The simple version is nearly always good enough.", "People underestimate how much of this is habit.",
		"I would rather have it slow and understood than fast and surprising.",
		"The comments are better than the article, as usual.", "This deserves more attention than it gets.",
		"It is the boring details that make it work.", "I changed my mind about this twice already.",
		"Documentation is where this lives or dies.", "It looks obvious only after somebody has done it."},
	"codeTip": {"Start with the tests; they tell you where it hurts.", "Keep the old path behind a flag for a month.",
		"Profile first, argue later.", "The error messages alone were worth the change.", "`--help` turned out to be the best documentation.",
		"We kept the interface and threw away everything behind it."},
	"system": {"our queue", "the search service", "a batch job of twelve hours", "the billing code", "our tiny static site",
		"the monitoring stack", "an old cron job"},
	"thing": {"the parsing", "the cache", "the network", "the naming", "memory", "the scheduler", "the locking"},
	"otherThing": {"getting everybody to agree", "the migration", "the last five percent", "explaining it to the next person",
		"the error handling", "a clean baseline", "the follow-up"},
	"result": {"nobody noticed, which was the point", "it held up better than I had feared", "it fell over within a day",
		"it took three weekends instead of one", "the numbers hardly moved", "it halved our costs", "I would do it again"},
	"result2": {"Works here, at least.", "Took a minute on an old laptop.", "Your mileage may vary.", "Surprisingly it just works."},
	"command": {"git log --oneline --since='2 weeks' | wc -l", "du -sh * | sort -h | tail", "go test -run XXX -bench . -count 5",
		"python -m timeit 'sum(range(1000))'", "journalctl -p err --since today"},
	"season": {"spring", "summer", "autumn", "winter", "year"},
	"reason": {"I am new to this", "the paper is behind a wall", "I have only ever used one of them", "my intuition says the opposite"},
	"reason2": {"I will try it this weekend.", "It explains something that has puzzled me for years.",
		"The same holds for most things I have worked on.", "It took me far too long to learn that.", "I wish it were taught that way."},
	"scienceTip": {"The error bars overlap more than the press release admits.", "Correlation is doing a lot of work in that sentence.",
		"The same group published a null result two years ago, which makes me trust them more.", "The sample is small, but the method is sound.",
		"At those temperatures intuition is no help at all."},
	"scienceThing": {"the pressure", "the background signal", "friction", "selection bias", "the speed of sound in the medium",
		"surface tension"},
	"picture": {"a crowd leaving a stadium through one door", "a sponge that is squeezed from one side only",
		"two people on a swing who are slightly out of step", "a map drawn by somebody walking backwards"},
	"makingThing": {"the finish", "the joints", "the crust", "the glue-up", "the seasoning", "the sanding"},
	"makingTip": {"let it rest a day longer than you want to", "sharpen first, then decide whether you need a new tool",
		"use half of what the label says", "make the jig before you make the piece", "taste it before you salt it", "buy the good brush once"},
	"quote": {"It works, but nobody knows why.", "You will not need it until you do.", "The best part is no part.",
		"In practice it makes no difference.", "Everybody does it this way."},
	"agree":    {"Agreed.", "Same here.", "Yes, very much so.", "Came here to say this.", "Seconded."},
	"disagree": {"I don't think so.", "Not in my experience.", "I see it the other way round.", "Hm, I am not convinced."},
	"n":        {"40", "75", "90", "120", "350"},
	"m":        {"3", "8", "12", "25", "31"},
}

// topics says which lines fit a community; general lines fit the others.
var topics = map[string]string{
	"golang": "code", "programming": "code", "python": "code", "haskell": "code", "linux": "code", "compsci": "code", "netsec": "code",
	"machinelearning": "code",
	"askscience":      "science", "science": "science", "space": "science", "dataisbeautiful": "science",
	"cooking": "making", "diy": "making", "woodworking": "making",
}

// sentence writes a text from a line of the grammar.
func sentence(rng *rand.Rand, name string) string {
	lines := grammar[name]
	text := lines[rng.IntN(len(lines))]
	for {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			return text
		}
		end := start + strings.IndexByte(text[start:], '}')
		word := sentence(rng, text[start+1:end])
		text = text[:start] + word + text[end+1:]
	}
}

// comment writes a reply to a post of a community, or to a comment on one.
func comment(rng *rand.Rand, community string, reply bool) string {
	topic := topics[strings.ToLower(community)]
	if topic == "" {
		topic = "general"
	}
	if reply && rng.IntN(10) < 7 {
		topic = "reply"
	}
	text := sentence(rng, topic)
	// Lines of the grammar may stand anywhere in a sentence, which begins with a capital letter.
	return strings.ToUpper(text[:1]) + text[1:]
}
