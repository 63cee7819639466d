// Package accounts keeps who the members are: names, profiles, settings, whom a member follows or blocks, and who is an administrator. All
// of it is in the directory. Every other database has copies of blocks and of new names. What a member logs in with, sessions, suspensions
// and invitations are in the packages below this one.
//
// # Choices
//
// users.choices has a member's choices about reading (Choices). They come with the state that every page of a member reads anyway
// (FindViewer). Time zones come from time/tzdata, which is part of the module: the platform has no files.
//
// # New names
//
// A member takes another name once in 30 days (rename.go). The transaction changes users, notes the old name in former_names and leaves the
// work rename <member>. The old name leads to the new one until somebody else takes it, which nobody can for 90 days: /u/{old} by 302,
// mentions, logging in (password managers know the old name), and forms of pages from before (data.MemberNamed). When the account is
// deleted, its former names are forgotten with its name, 90 days later.
//
//   - Names that look like others (data.LookOf, lookalike.go). m1ra, rnira and mira_ look like mira. Nobody signs up under, or takes, a
//     name that looks like that of an administrator or of a moderator of a community of at least 100 members. The index users_look has the
//     look of each name, computed from the name by SQLite, so it is right whatever writes the name. Whether its member is trusted is read
//     at that moment, so nothing has to be written when a member becomes a moderator. A look-up reads 50 names at most. Where 50 names look
//     alike, nobody gets another. Members who have such a name already keep it.
//   - Reserved names (data/names.go): words of the site's staff and of its addresses, for members; for communities also what begins with
//     u_, in imports too. A name has at least one letter or digit.
//   - Copies. Wherever schema.sql says "copy", the events consumer writes the new name or avatar, 500 rows a transaction (name_copies.go).
//     Rows with the old name are found by it, or by the member, so a step needs no place to go on from: the consumer may be killed
//     anywhere, and goes on 15 seconds to a minute later. Crossposts of a post come before the post itself. What has no name any more gets
//     none.
//   - Stale cookies. A cookie carries the name, and other devices have the old one for a while. Before anything else, every database gets a
//     row in the table names, which statements that copy a name ask first (data.NameNow). So nothing written after that has the old name. A
//     page of a device with the old name gives it a cookie with the new one (useSession).
//   - An account that is to be deleted goes when the copies of its new name are done, because its posts and comments are found by it.
//   - Profiles look posts and comments up by name. While users.renaming is not empty, they read under both names, with one more request.
//   - Avatars stand beside posts and comments as copies (author_avatar), and follow in the same steps when they change in the settings,
//     while users.repainting is 1. A cookie does not know the avatar: statements take it from the table avatars, of which every database
//     has a row for each member who has chosen one (data.AvatarNow). Its revision keeps a try that began earlier from bringing back an
//     older avatar. What is deleted has none, and the inbox reads avatars from users.
//
// # Blocked members
//
// Who blocks whom is in blocks. The directory's rows are the truth, and every shard has a copy, so that the statement that writes an answer
// can refuse it: answers live on the shard of their post, and a question to the directory would be another request and could be out of date
// by the time of the write. The transaction that blocks leaves the work blocks for the copies (package outbox). A shard that was down
// accepts replies of the blocked for a minute more at most. The blocker gets no notice of these: the inbox reads the directory's rows.
// Blocks are rare and answers are many, so the copies cost less than the question would. The blocked read "You can't answer here." and no
// more. They can't comment below a post of the blocker, nor anywhere below a comment of the blocker, also in answer to others. A block ends
// that either of the two follows the other, and neither can follow the other again while it lasts.
//
// Pages fold away what the blocked write, with a click to open it. They know whom their reader blocks from users.blocked, a list that
// triggers keep and that comes with the state every page of a member reads anyway. At most 1,000 members can be blocked, which bounds it.
// Timelines leave their posts out. The inbox needs no condition: blocking deletes what the member was told of theirs, and nothing new
// comes.
//
// # Karma
//
// Members' karma has a copy in the directory (users.karma), by which administrators list members. Triggers of author_karma leave a mark
// (karma_changed), and a job of each minute adds up all shards and writes the sum (karma.go). It writes a sum and not a difference, only if
// nobody else has written one since it began to read, and a mark goes only if it is still the one that was read.
package accounts
