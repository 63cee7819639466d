package bucket

import "context"

// Walk goes through all that is in a bucket, in the order of the sums.
type Walk struct {
	Taken int // pictures so far
	// Skipped is told each picture that To skips; nil: nobody is.
	Skipped func(sum string)

	bucket *Client
	page   []Object
	after  string
	ended  bool
}

// NewWalk begins at the first picture. Without a bucket there is none.
func NewWalk(c *Client) *Walk { return &Walk{bucket: c} }

// AllSums is after all sums: To skips all pictures before it.
const AllSums = "~"

// To skips all pictures before a sum, and returns the picture with this sum. It returns the zero Object if there is none. Successive calls
// need ascending sums.
func (w *Walk) To(ctx context.Context, sum string) (Object, error) {
	for {
		if w.bucket == nil {
			return Object{}, nil
		}
		if len(w.page) == 0 && !w.ended {
			var err error
			if w.page, err = w.bucket.List(ctx, w.after); err != nil {
				return Object{}, err
			}
			if w.ended = len(w.page) == 0; !w.ended {
				w.after = w.page[len(w.page)-1].Sum
			}
		}
		if w.ended || w.page[0].Sum > sum {
			return Object{}, nil
		}
		o := w.page[0]
		w.page, w.Taken = w.page[1:], w.Taken+1
		if o.Sum == sum {
			return o, nil
		}
		if w.Skipped != nil {
			w.Skipped(o.Sum)
		}
	}
}
