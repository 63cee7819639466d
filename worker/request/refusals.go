package request

import "plaza/data"

var ErrNoCommunity = &data.Error{Code: data.NotFound, Field: "community", Message: "There is no community of that name."}

var ErrNoPost = &data.Error{Code: data.NotFound, Message: "There is no such post here. It may have been moved or deleted."}
