-- The statement threads.RankQuestions does their work now. While a build still serves that relies on them, questions that are answered
-- keep their old rank; the next vote for the answer ranks them, or plaza verify --repair.
DROP TRIGGER IF EXISTS comments_answered;
DROP TRIGGER IF EXISTS comments_changed;
