package links

import (
	"context"

	"plaza/data"
)

// Image is the picture of a post.
type Image struct {
	Address    string // "" if there is none, or no such published post
	Unmeasured bool   // it is the post's own, and its size is not known yet
}

const (
	postImage = `SELECT iif(p.image <> '', p.image, l.image), p.image <> '' AND p.image_width = 0 FROM posts p
  LEFT JOIN link_previews l ON l.url = p.link
WHERE p.id = :post AND p.status IN ('published', 'archived')`
	keepImageSize = `UPDATE posts SET image_width = :width, image_height = :height WHERE id = :post AND image = :address AND image_width = 0`
)

// FindImage reads a post's picture: its own, or else the picture of the page it links to.
func (s *Store) FindImage(r *data.Read, post data.ID) *Image {
	image := &Image{}
	r.FindAt(post, postImage, data.Args{"post": post}, func(row *data.Row) { image.Address, image.Unmeasured = row.Text(), row.Bool() })
	return image
}

// SaveImageSize stores the size of a post's own picture, in pixels, so that pages reserve its space. It does so once for each picture.
// NotFound if there is no such shard, and Unavailable.
func (s *Store) SaveImageSize(ctx context.Context, post data.ID, address string, width, height int) error {
	w := s.DB.WriteAt(post)
	w.Do(keepImageSize, data.Args{"post": post, "address": address, "width": width, "height": height})
	return w.Run(ctx)
}
