// Package search finds posts, comments, communities and members by words. Store is all that the rest of the site knows of it.
//
// Posts, comments, communities and members have an index of SQLite's FTS5 each, in the database where they are. Triggers write it, in the
// transaction of the change (search_posts_changed and so on in triggers.sql). So whatever code publishes, edits, removes, holds or deletes
// something, the index agrees, and the outbox has no part in it. What is to be in an index is a view (post_words), which triggers, steps of
// the schema and plaza verify read alike. The indexes keep no texts (contentless_delete): snippets are made in Go from the first 2,000
// characters of what is shown. The words of what was deleted stay in pages of the index until FTS5 merges these, and nothing finds them.
//
//   - Candidates. FTS5's bm25() counts all matches in the index, and sorting by score would read all of them. So a page takes a bounded
//     number of matches by falling id, which is by time: FTS5 goes through its lists backwards and stops. There are the newest 200 matches,
//     the newest 100 in titles, and the newest of scores from 10, 100 and 1,000 on. They are ranked by title, score and age (relevance).
//     The order "top" takes candidates by the number of digits of the score, the most first. Where there are fewer than 200 matches of any
//     kind, these are all, and nothing else is looked for. Cursors carry the rank and the id.
//   - Filters are words of the index, in the column facets: the community's id, the author's, the kind, tags, the domain with those above
//     it, the end of the link's key, and the number of digits of the score. A pasted address is such a filter, by its key (weburl.Key).
//     If no post has that link, the words of the address are looked for: links and texts may have a part of it. So a filter is one more
//     list that FTS5 merges. Names are looked up in the same statement. A post is indexed anew when its score gains or loses a digit.
//   - What a search costs. A page of posts reads at most about 3,000 rows, however large the site is, by top 4,000 and by new 130
//     (TestRowsRead; docs/performance.md has figures). One word costs the same whether it is rare or common. Of several words, FTS5
//     goes through their lists until all have the same post. Common words that are hardly ever together, or never in the order of a phrase,
//     would take it through all entries of all lists. So the statement weighs the words first (weigh.go): a search goes through 250,000
//     entries at most for one kind of candidate, which takes about 60 ms. It leaves out the most common single words, and the page names
//     them. It can't leave out phrases, beginnings and words with a minus. Where these are too common, it looks for nothing, and the page
//     says how to change the search (400). A phrase has at most six words, and a search twelve, those in phrases included.
//   - How common a word is is in search_common, for words that at least 1,000 posts or comments of a shard have. The scheduled job counts
//     them at 4:30 UTC, and on a site that has none yet each hour (CountCommon). It reads a row for each page of the index, some 30,000 at
//     500,000 posts, and asks fts5vocab for the words whose lists have several pages. A word that becomes common later is weighed only
//     after the next count. How many words begin with some letters is read from the index's own directory of pages.
//   - Budget. Searches are limited for each member and network (LimitSearch). For each 25 ms of database time, a search counts as one
//     search more (request.Server.Owe). An instance sends one search of several words at a time (worker/listing/search_run.go).
//   - What was typed reaches FTS5 between double quotes only, where it has no syntax, and only in the columns of texts.
//   - Visible. The statement that reads asks for the status again, of a comment's post as well. "New" and times go by ids: a draft that was
//     published later is found at the time at which it was begun.
//   - Members and communities are found by the beginning of words, in the directory. Suggestions while somebody types go by the beginning
//     of names.
//   - Languages. Texts, queries and snippets are read by one function (data/content/searchwords). Letter case, accents, vowel points of
//     Hebrew and Arabic, hamzas, nuktas, full and half width, ligatures and kinds of apostrophes don't tell words apart, nor do ß and ss, ł
//     and l, ø and o, đ and d, æ and ae. The Cyrillic letters й, ї, ў, ќ and ѓ stay apart from those without the mark, and so do kana with
//     voicing, vowel signs of India, and tone marks of Thai and Lao. There are no stems, and simplified Chinese does not find traditional.
//   - Runs of Chinese, Japanese, Korean, Thai, Lao, Khmer and Myanmar are in the index as pairs of characters, each with its marks. A run
//     that is looked for is a phrase of its pairs, and so is found inside of longer ones. A single character is the beginning of pairs.
//     Two pairs count as one word in what may be asked for. Runs are weighed as phrases are.
//   - Where FTS5 would make other words of a text, these are in a column beside it (words), which whatever writes the text writes as well
//     (TestWhateverWritesTextsWritesTheirWords); elsewhere it is empty. English stores nothing there, and no text writes more rows for it.
//     1,000 posts and 1,000 comments of 90 characters of Chinese take 5.3 MB with their pairs, where runs without pairs took 3.2, and a
//     search reads as many rows as one of English (TestCost).
//
// # Another engine
//
// Another engine needs these four tables, and the number of rows that have a word. It needs an inverted index that is updated in the
// transaction; phrases and prefixes; matches by falling rowid with a limit; and a NOT. Everything else is plain SQL. Only
// data/lists/search, data/content/searchwords, tools/verify/search.go, schema.sql and triggers.sql know FTS5. Turso's new engine has no
// FTS5, so a site there would need another index behind the same search.Store.
package search
