// Package pictures keeps what the site knows of the pictures that members upload, and what uses them. The bytes are in a bucket of
// the platform (worker/pictures), under the SHA-256 of what is kept, so that the same picture is kept once.
//
// # Where it is
//
// The directory has a row for each picture. A post has a copy of what pages show of its pictures in its own row (posts.pictures), so that a
// listing needs no second statement. A comment has the same (comments.pictures). The picture of a member is a part of users.avatar, which
// is copied as a whole (data/accounts). A community has two pictures (communities.icon and banner).
//
// Triggers write picture_uses from these columns, in every database and in the transaction that changes the row. So no use is forgotten,
// whichever statement changes or deletes the row. Copies of an avatar beside posts and comments do not count as uses: they follow within
// seconds when the avatar changes.
//
// # What the browser says
//
// The small version, the dominant colour and the difference hash come from the browser of the member who uploads a picture first. They may
// be false. So Claim gives the small version and the colour to that member alone, and people decide about pictures with similar hashes
// (Alike).
//
// # From the upload to the end
//
// Reserve writes the row before the bucket has the bytes (state coming), and Kept says that it has them. An upload that breaks off leaves
// such a row, by which the bytes are found. Claim is called before anything that names pictures is written. It checks that they are there,
// and sets check_at to a day later.
//
// The hourly job (Sweep) looks at pictures whose check_at has come. If something uses the picture, check_at is emptied; otherwise the
// picture is deleted. A row that stops using a picture leaves the sum in picture_losses of its database, and the job then sets check_at to
// a day later. So nothing is deleted within a day of a claim.
//
// A picture is deleted in three steps: its row says going, the bucket deletes the bytes, and the row is deleted. If the job ends between
// them, the next one goes on.
package pictures
