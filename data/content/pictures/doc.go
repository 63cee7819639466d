// Package pictures keeps what the site knows of uploaded pictures, and what uses them. The bytes are in a bucket of the platform
// (worker/pictures), under the SHA-256 of what is kept, so the same picture is kept once. Triggers write picture_uses from the rows that
// name pictures, so no use is forgotten.
//
// Begin with Picture (pictures.go), Store.Reserve (upload.go), Store.Claim (claim.go) and Store.Sweep (sweep.go). docs/inside/content.md
// says when a picture is deleted.
package pictures
