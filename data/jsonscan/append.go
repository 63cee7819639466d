package jsonscan

// special is true for the bytes that have to be escaped in a string.
var special = func() (special [256]bool) {
	for c := range ' ' {
		special[c] = true
	}
	special['"'], special['\\'] = true, true
	return special
}()

// AppendText appends a text as a JSON string. What is not UTF-8 stays as it is.
func AppendText(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !special[c] {
			continue
		}
		dst = append(dst, text[done:i]...)
		done = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, text[done:]...)
	return append(dst, '"')
}
