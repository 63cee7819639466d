// Package pictures stores the rows of uploaded pictures, and their uses. The bytes are in a bucket of the platform (worker/pictures),
// under their SHA-256, so the same picture is stored once. Triggers write picture_uses from the rows that name pictures, so every use is
// recorded.
//
// Begin with Picture (pictures.go), Store.Reserve (upload.go), Store.Claim (claim.go) and Store.Sweep (sweep.go). docs/inside/content.md
// says when a picture is deleted.
package pictures
