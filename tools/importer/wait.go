package importer

// size returns about how many bytes a comment takes in memory.
func (c *comment) size() int { return c.textSize() + 400 }

// wait keeps a comment until its parent is written, if there is room.
func (w *writer) wait(c *comment, parent string) {
	if w.room < c.size() {
		w.passedOver++
		return
	}
	w.room -= c.size()
	w.waiting[parent] = append(w.waiting[parent], c)
}

// take returns the comments that wait for the comment or post with a source, which is stored now.
func (w *writer) take(source string) []*comment {
	list := w.waiting[source]
	delete(w.waiting, source)
	for _, c := range list {
		w.room += c.size()
	}
	return list
}

// freed returns the comments that wait for posts.
func (w *writer) freed(posts []*post) (list []*comment) {
	for _, p := range posts {
		list = append(list, w.take(p.source)...)
	}
	return list
}

// lost returns how many comments still wait, including those for which there was no room.
func (w *writer) lost() int {
	n := w.passedOver
	for _, list := range w.waiting {
		n += len(list)
	}
	return n
}
