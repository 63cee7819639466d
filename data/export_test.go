package data

// NewIDOf makes an id as stores do.
func NewIDOf(s Source, kind Kind) ID { return s.NewID(0, kind) }
