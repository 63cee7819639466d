package verify

import (
	"context"
	"errors"

	"plaza/protocol/unfurl"
	"plaza/tools/bucket"
)

// noCopy is the reason in the report if a picture is missing or corrupt and no backup has it.
const noCopy = "no copy of it was given: --pictures-from names a backup"

// saved returns the copy of a picture in the backup; nil if there is none.
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

// putBack restores a picture from the backup. If there is no copy and the picture is unused, it deletes the row.
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

// putAgain writes a picture again, so that the bucket stores the right type.
func (v *verifier) putAgain(p *stored, picture []byte) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) { return v.replace(ctx, p, picture) }
}

// replace replaces the object of a picture. Its small version stays.
func (v *verifier) replace(ctx context.Context, p *stored, picture []byte) (skipped string, err error) {
	small, _, err := v.Bucket.Read(ctx, p.sum, true)
	if err != nil && !errors.Is(err, bucket.ErrMissing) {
		return "", err
	}
	if small == nil && p.small {
		small = v.saved(p.sum, true)
	}
	if err := v.Bucket.Delete(ctx, p.sum); err != nil { // Write would keep the old object
		return "", err
	}
	if err = v.Bucket.Write(ctx, p.sum, false, picture); err == nil && small != nil {
		if refused := v.Bucket.Write(ctx, p.sum, true, small); !errors.Is(refused, bucket.ErrRefused) { // refused: the next round tries again
			err = refused
		}
	}
	return skippedAsRefused(err)
}

// skippedAsRefused converts ErrRefused to the reason why an item is not repaired. It returns other errors unchanged.
func skippedAsRefused(err error) (string, error) {
	if errors.Is(err, bucket.ErrRefused) {
		return err.Error(), nil
	}
	return "", err
}

// putSmallBack restores a small version from the backup. If there is no copy, it updates the row, and listings show the picture itself.
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
		return v.by(repairSmall, named("sum", p.sum))(ctx)
	}
}

// dropObject deletes an object from the bucket that has no row.
func (v *verifier) dropObject(p *stored) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		if v.pictureRows == 0 {
			return "the directory knows no picture at all: is this its bucket?", nil
		}
		n, err := v.write(ctx, v.Directory, beginDrop, named("sum", p.sum))
		if err != nil || n == 0 {
			return "it is being uploaded", err
		}
		if err := v.Bucket.Delete(ctx, p.sum); err != nil {
			return "", err // the row says deleting, so the hourly job deletes the object later
		}
		return v.by(endDrop, named("sum", p.sum))(ctx)
	}
}

// bringRow makes the missing row of a picture in use, from its bytes. The hourly job then finds its use.
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
			if skipped, err := v.replace(ctx, p, picture); err != nil || skipped != "" {
				return skipped, err
			}
		}
		width, height := unfurl.ImageSize(picture)
		return v.by(bringRow, named("sum", p.sum), named("type", unfurl.ImageType(picture)), named("width", width), named("height", height),
			named("bytes", len(picture)), named("small", min(o.Small, 1)), named("at", max(o.Kept.UnixMilli(), 0)))(ctx)
	}
}
