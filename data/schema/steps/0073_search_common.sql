-- How many posts and comments have each word that at least 1,000 have (data/search/common.go). A search reads these first, so that it never
-- goes through too much of the index. The tables _terms are what the index says of its words.
CREATE TABLE IF NOT EXISTS search_common (
  about TEXT    NOT NULL,                     -- the index: search_posts or search_comments
  word  TEXT    NOT NULL,                     -- as the index has it
  found INTEGER NOT NULL,
  PRIMARY KEY (about, word)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE IF NOT EXISTS search_posts_terms USING fts5vocab (search_posts, row);
CREATE VIRTUAL TABLE IF NOT EXISTS search_comments_terms USING fts5vocab (search_comments, row);
