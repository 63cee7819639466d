package verify

import (
	"context"
	"errors"

	"plaza/protocol/unfurl"
	"plaza/tools/bucket"
)

// noCopy is why a picture that is missing or damaged is left as it is.
const noCopy = "no copy of it was given: --pictures-from names a backup"

// saved is the copy of a picture that a backup has; nil for none.
func (v *verifier) saved(sum string, small bool) []byte {
	if v.Saved == nil {
		return nil
	}
	picture, err := v.Saved(sum, small)
	if err != nil || !small && bucket.SumOf(picture) != sum {
		return nil
	}
	return picture
}

// putBack puts a picture back from a backup. One that nothing uses loses its row, if there is no copy.
func (v *verifier) putBack(p *stored) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		switch picture := v.saved(p.sum, false); {
		case picture != nil:
			return v.replace(ctx, p, picture)
		case p.used:
			return noCopy, nil
		}
		if err := v.Bucket.Delete(ctx, p.sum); err != nil {
			return "", err
		}
		return v.by(forgetSum, named("sum", p.sum))(ctx)
	}
}

// putAgain writes a picture again, whose type the bucket does not know.
func (v *verifier) putAgain(p *stored, picture []byte) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) { return v.replace(ctx, p, picture) }
}

// replace writes a picture in place of what is there under its sum. Its small version stays.
func (v *verifier) replace(ctx context.Context, p *stored, picture []byte) (left string, err error) {
	small, _, err := v.Bucket.Read(ctx, p.sum, true)
	if err != nil && !errors.Is(err, bucket.ErrMissing) {
		return "", err
	}
	if small == nil && p.small {
		small = v.saved(p.sum, true)
	}
	if err := v.Bucket.Delete(ctx, p.sum); err != nil { // what is there would stay
		return "", err
	}
	if err = v.Bucket.Write(ctx, p.sum, false, picture); err == nil && small != nil {
		if refused := v.Bucket.Write(ctx, p.sum, true, small); !errors.Is(refused, bucket.ErrRefused) { // then it is looked at in the next round
			err = refused
		}
	}
	return leftAsRefused(err)
}

// leftAsRefused makes of a refusal why something is left, and keeps other errors.
func leftAsRefused(err error) (string, error) {
	if errors.Is(err, bucket.ErrRefused) {
		return err.Error(), nil
	}
	return "", err
}

// putSmallBack puts a small version back from a backup. Without one the row says that there is none: then the picture itself is shown.
func (v *verifier) putSmallBack(p *stored) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		if err := v.Bucket.DeleteSmall(ctx, p.sum); err != nil {
			return "", err
		}
		if small := v.saved(p.sum, true); small != nil {
			if err := v.Bucket.Write(ctx, p.sum, true, small); !errors.Is(err, bucket.ErrRefused) {
				return "", err
			}
		}
		return v.by(mendSmall, named("sum", p.sum))(ctx)
	}
}

// dropObject deletes from the bucket what no row tells of.
func (v *verifier) dropObject(p *stored) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		if v.pictureRows == 0 {
			return "the directory knows no picture at all: is this its bucket?", nil
		}
		n, err := write(ctx, v.Directory, beginDrop, named("sum", p.sum))
		if err != nil || n == 0 {
			return "it is being uploaded", err
		}
		if err := v.Bucket.Delete(ctx, p.sum); err != nil {
			return "", err // the hourly job goes on
		}
		return v.by(endDrop, named("sum", p.sum))(ctx)
	}
}

// bringRow makes the row of a picture that something uses, of its bytes. The hourly job finds that it is used.
func (v *verifier) bringRow(p *stored, o bucket.Object) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		picture, _, err := v.Bucket.Read(ctx, p.sum, false)
		if err != nil && !errors.Is(err, bucket.ErrMissing) {
			return "", err
		}
		if err != nil || bucket.SumOf(picture) != p.sum {
			if picture = v.saved(p.sum, false); picture == nil {
				return noCopy, nil
			}
			if left, err := v.replace(ctx, p, picture); err != nil || left != "" {
				return left, err
			}
		}
		width, height := unfurl.ImageSize(picture)
		return v.by(bringRow, named("sum", p.sum), named("type", unfurl.ImageType(picture)), named("width", width), named("height", height),
			named("bytes", len(picture)), named("small", min(o.Small, 1)), named("at", max(o.Kept.UnixMilli(), 0)))(ctx)
	}
}
