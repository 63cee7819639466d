package request

import (
	"plaza/data"
	"plaza/render/ui"
)

// Form is a form that is shown again with what was typed: with a preview, after logging in, or because it was refused.
type Form struct {
	Show   func(c *Call, p *ui.Preview) error // p is nil without a preview
	Refuse func(c *Call, err error) error     // returns the error if the form can't be shown
}

// FormPage shows a form again, with everything that was typed, and with a preview if there is one.
func (s *Server) FormPage(c *Call, name string, p *ui.Preview) error {
	if known, ok := s.FormsByName[name]; ok {
		return known.Show(c, p)
	}
	return &data.Error{Code: data.NotFound, Field: "preview", Message: "There is no such form."}
}

// RefuseForm shows a form again, with what was typed and why it was refused. If it can't, it returns the error.
func (s *Server) RefuseForm(c *Call, name string, err error) error {
	if known, ok := s.FormsByName[name]; ok {
		return known.Refuse(c, err)
	}
	return err
}
