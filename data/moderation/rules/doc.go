// Package rules keeps automatic rules and checks members' texts by them before they are stored. Moderators write rules for their community,
// and administrators for the site. A rule is data: conditions, which all have to hold, and actions.
//
// # Checking
//
// Rules are texts in the table rules: those of a community on its shard, those of the site in the directory. Judge compares a post, comment
// or edit with them before the transaction that stores it. It uses rules that the instance has read at most 5 seconds ago. So a write
// usually costs no additional request. It costs one when the rules have to be read, and one when a rule could match. That request reads
// whether the author is exempt as a moderator, and the facts that the rule's conditions need about the author, such as karma and
// reputation. The verdict is stored in the transaction of the post, comment or edit. It consists of its status, a row of rule_hits for each
// rule, the HTML of a message to the author (column answer), and for a removal the entry of the log. Triggers count the rows of rule_hits
// and fill the queue from them. The rows of a scheduled post have later = 1. They are written again, and so counted, when it is published.
//
// # Rules about reports
//
// Rules with the condition "reports at least" are checked at each report. The transaction that adds the report counts the reports
// (data/moderation/reports/automatic.go). So the rule acts even when many reports come at the same moment. It acts once on each post or
// comment, because its row of rule_hits stays. A post or comment that it holds has held = 1 only in queue_items. Otherwise this is an
// ordinary removal, with the entry hold, so approving brings it back as it was.
//
// # What is looked at
//
// Rules read the HTML that is stored (read.go). So they find the words and links that the page shows, however these are written in
// Markdown, and follow each change of Markdown.
//
// # Words and patterns
//
// The words and phrases of all rules are found in one pass over the text, by a tree of words (words.go). Patterns are Go's regexp, whose
// time grows linearly with the text. A pattern is only tried on texts with a part that every match must contain (required.go); most texts
// don't have it. The size of a pattern, the sum of all patterns of a community, the length of the text and the work of a dry run are
// limited.
package rules
