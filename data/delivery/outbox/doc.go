// Package outbox stores work that a transaction leaves to a consumer of the events queue, until it is done. The message that asks for it
// may get lost. Then the work becomes due, and FindDue finds it.
//
// A transaction that leaves work writes it into the table outbox, a row for a post and a kind of work. Then a message names both (link
// <post>). Like the message of a vote it carries no data: the consumer reads the row. Work about members (fill <member>) is in the
// directory's outbox.
//
// # A write sends its own messages
//
// A function that gathers a statement which leaves work (outbox.Leave…, mails.Leave) also registers the message with the transaction
// (data.Write, data/message.go). Stores whose statements fire triggers do the same, by outbox.Ask if the trigger leaves work and by
// Write.FoldVotes or Write.FoldComments if it counts. After the commit Write.Run gives the messages to DB.Send, before it returns. Handlers
// send no messages for their writes. Nearly every test of package worker ends with a check of this rule: for all work that is left in the
// databases, a message was sent (sentWhatFollows in test/workertest/site.go). There is one exception. Work that the deletion of an
// account and its content leaves waits for the sweep, because thousands of messages would hold up mails.
//
// # Done once and for all
//
// A consumer claims the row, which counts the attempt and sets when the work is due again (readFirst is an exception). It deletes the row
// when the work is done, unless the row was written anew meanwhile (queued_at). The sweep sends messages for work that is due. So a message
// may be lost, doubled or late, and an instance may die at any point. Each kind of work only needs to be harmless to repeat.
//
// So publishing is never left half done. The post, its text, flair, its author's vote and the work for timelines, inbox and link are one
// transaction. Everything else follows from rows that stay until it is done, at the latest after the sweep.
// TestPublishingInterruptedAtEveryStep (worker/crash_test.go) ends instances before and after each call to a database, Redis, a queue or
// another site, in the request and in the consumers. Afterwards it counts the rows that name each post, in every table of every database.
// It compares these counts with those of an uninterrupted post, and runs plaza verify. The test covers new tables and consumers without
// being changed. e2e/faults/publish.mjs does the same to instances of the faults build on workerd: each of them dies at one of these calls.
//
// # Changes of several databases
//
// A transaction covers one database. So a change of several databases is one transaction in the database that is the source of truth. The
// same transaction adds a row of work to the outbox. The request succeeds when this transaction is committed. Most of the work is done in
// the same request, which waits two seconds for it. When a database is down, the sweep tries each minute, and writes the copies within a
// minute after the database is back (copy.go). TestAShardAwayAtEveryStep makes one of three shards fail, lose an answer or hang at each of
// its calls. TestCopiesInterruptedAtEveryStep ends instances at each call. plaza verify finds nothing afterwards.
//
//   - block, unblock: first blocks in the directory; then work blocks writes the whole list of members whom the member blocks
//   - suspend, restore, ban by administrators, also of invite trees: first users, revocations and the log in the directory; then
//     work revoke-sessions
//   - log out, end sessions or tokens, reauthentication, a new password, leaving: first revocations in the directory; then work
//     revoke-sessions
//   - found a community, make a profile, change settings of a community: first communities in the directory; then work community; of two
//     revisions the later one stays
//   - settings of the site: first site_settings in the directory; then at once, and a job of each minute; of two revisions the later one
//     stays
//   - a new name or avatar: first users in the directory; then work rename, by the consumer alone (package accounts)
//   - follow, unfollow: first follows in the directory alone; then work fill reads the posts from the shards
//   - publish a post: first the post's shard; then works timeline, notify and link
//   - delete a post, change a short post: first the post's shard; then work update: crossposts on other shards
//   - remove and approve: first the post's shard; then work update, and decided for the inbox
//   - ban or mute in a community: first the community's shard alone; then work clear on the same shard, decided for the inbox
//   - verdicts about appeals: first conversation_messages in the directory; then work verdict
//   - delete an account: first departures and users in the directory; then steps that find what is left (package deletion)
//   - votes, views, karma, counts of open items for moderators: first the shard, or Redis; then jobs that write sums and not differences
//
// The transaction that leaves work about copies also claims it for longer than its request may take. The row says so, and no other instance
// does this work meanwhile. A copy has the directory's values at the time of the claim. Two requests may change the same row one after the
// other, and write their copies in the opposite order. So work that is left again while it is claimed is done once more when the claim has
// ended.
//
// Work that a database kept from being done is due again after 20 seconds, however often it was tried (Return). As long as there is such
// work, the job of each minute sweeps twice. So what a database missed is done within a minute after it is back.
package outbox
