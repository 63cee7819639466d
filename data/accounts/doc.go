// Package accounts keeps who the members are: names, profiles, settings, whom a member follows or blocks, and who is an administrator. All
// of it is in the directory. Every other database has copies of blocks and of new names. The packages below this one keep credentials,
// sessions, suspensions and invitations.
//
// # Choices
//
// users.filters has what a member's lists leave out (Filter), and users.choices a member's choices about reading (Choices). They
// come with the state that every page of a member reads anyway
// (FindViewer). Time zones come from time/tzdata, which is part of the module: the platform has no files.
//
// # New names
//
// A member takes another name once in 30 days (rename.go). The transaction changes users, notes the old name in former_names and leaves the
// work rename <member>. For 90 days nobody else can take the old name. Until somebody takes it, the old name leads to the new one: /u/{old}
// by 302, mentions, logging in (password managers know the old name), and forms of older pages (data.MemberNamed). When the account is
// deleted, its former names are forgotten with its name, 90 days later.
//
//   - Names that look like others (data.LookOf, lookalike.go). m1ra, rnira and mi_ra look like mira. Some names are protected: those of
//     administrators, and those of moderators of communities of at least 100 members. No new name may look like one of them. The index
//     users_look has the look of each name. SQLite computes it from the name, so it is always right. Each check reads anew whether the
//     member with the similar name is protected, so nothing has to be written when a member becomes a moderator. A look-up reads 50 names
//     at most. When 50 names look alike, no more are allowed. Members keep the similar names that they already have.
//   - Reserved names (data/names.go). Members can't take words that mean the site's staff or stand in its addresses. Communities, imported
//     ones included, also can't take names that begin with u_.
//   - Copies. Wherever schema.sql says "copy", the events consumer writes the new name or avatar, 500 rows a transaction (name_copies.go).
//     It finds rows by the old name or by the member, so a step needs no cursor. The consumer may be killed anywhere, and continues 15
//     seconds to a minute later. Crossposts of a post are changed before the post itself. Rows without a name stay without one.
//   - Stale cookies. A cookie carries the name, and other devices have the old one for a while. Before anything else, every database gets a
//     row in the table names, which statements that copy a name ask first (data.NameNow). So nothing written after that has the old name. A
//     page of a device with the old name gives it a cookie with the new one (useSession).
//   - An account that is to be deleted goes when the copies of its new name are done, because its posts and comments are found by it.
//   - Profiles look posts and comments up by name. While users.renaming is not empty, they read under both names, with one more request.
//   - Avatars stand beside posts and comments as copies (author_avatar), and follow in the same steps when they change in the settings,
//     while users.repainting is 1. A cookie does not know the avatar: statements take it from the table avatars, of which every database
//     has a row for each member who has chosen one (data.AvatarNow). Its revision keeps an earlier attempt from bringing back an older
//     avatar. Deleted posts and comments have no avatar. The inbox reads avatars from users.
//
// # Blocked members
//
// Who blocks whom is in blocks. The directory's rows are the source of truth, and every shard has a copy. So the statement that writes a
// reply can refuse it. Replies are on the shard of their post. Asking the directory would cost another request, and its response could be
// out of date by the time of the write. The transaction that blocks leaves the work blocks for the copies (package outbox). A shard that
// was down accepts replies of a blocked member for a minute more at most. The blocker is not notified of these: the inbox reads the
// directory's rows. Blocks are rare and replies are many, so the copies cost less than a request for each reply. A blocked member reads
// "You can't reply here." and no more. They can't comment below a post of the blocker, nor anywhere below a comment of the blocker, also
// in reply to others. A block removes the follows between the two members. While it lasts, neither can follow the other.
//
// Pages collapse posts and comments of blocked members, and a click opens them. The list of blocked members is users.blocked. Triggers keep
// it, and it comes with the state that every page of a member reads anyway. A member can block at most 1,000 others, which bounds the list.
// Timelines leave out posts of blocked members. The inbox needs no condition: blocking deletes the notifications about the blocked member,
// and no new ones are written.
//
// # Karma
//
// Members' karma has a copy in the directory (users.karma), by which administrators list members. Whatever writes author_karma leaves a
// mark (karma_changed), and a job of each minute adds up all shards and writes the sum (karma.go). It writes a sum and not a difference,
// and only if no other run has written one since it began to read. It removes a mark only if the karma on its shard still is what it has
// copied.
package accounts
