package wiki

import "strings"

// Kinds of lines of a difference.
const (
	Same    = "same"
	Added   = "added"
	Removed = "removed"
	Gap     = "gap"  // replaces equal lines
	Rest    = "rest" // replaces lines of a kind beyond linesMax
)

// Line is a line of a difference.
type Line struct {
	Kind string
	Text string // "" for Gap and Rest
}

const (
	// contextLines is how many equal lines are shown before and after a difference.
	contextLines = 2
	// maxCells limits the table that compares lines, so that no text costs more than about a millisecond.
	maxCells = 250_000
	// linesMax limits the lines of each kind in a difference, so that two texts with very many short lines make no page of megabytes.
	linesMax = 500
)

// Difference compares two texts line by line: the lines that differ, each with a few equal ones around it. It is empty for equal texts.
// It finds a longest common subsequence. If very many lines differ, all lines of the one text are removed and all of the other added.
func Difference(before, after string) []Line {
	if before == after {
		return nil
	}
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	begin := 0
	for begin < len(a) && begin < len(b) && a[begin] == b[begin] {
		begin++
	}
	end := 0
	for end < len(a)-begin && end < len(b)-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var lines []Line
	for _, text := range a[:begin] {
		lines = append(lines, Line{Same, text})
	}
	lines = append(lines, compare(a[begin:len(a)-end], b[begin:len(b)-end])...)
	for _, text := range a[len(a)-end:] {
		lines = append(lines, Line{Same, text})
	}
	return shortened(lines)
}

// compare is Difference for lines without a common start or end, and without gaps.
func compare(a, b []string) (lines []Line) {
	i, j := 0, 0
	if (len(a)+1)*(len(b)+1) <= maxCells {
		// common[x*width+y] is how many lines a[x:] and b[y:] have in common.
		width := len(b) + 1
		common := make([]uint16, (len(a)+1)*width)
		for x := len(a) - 1; x >= 0; x-- {
			for y := len(b) - 1; y >= 0; y-- {
				if a[x] == b[y] {
					common[x*width+y] = common[(x+1)*width+y+1] + 1
				} else {
					common[x*width+y] = max(common[(x+1)*width+y], common[x*width+y+1])
				}
			}
		}
		for i < len(a) && j < len(b) {
			switch {
			case a[i] == b[j]:
				lines = append(lines, Line{Same, a[i]})
				i, j = i+1, j+1
			case common[(i+1)*width+j] >= common[i*width+j+1]:
				lines = append(lines, Line{Removed, a[i]})
				i++
			default:
				lines = append(lines, Line{Added, b[j]})
				j++
			}
		}
	}
	for _, text := range a[i:] {
		lines = append(lines, Line{Removed, text})
	}
	for _, text := range b[j:] {
		lines = append(lines, Line{Added, text})
	}
	return lines
}

// shortened replaces equal lines that are far from any difference by a gap.
func shortened(lines []Line) (list []Line) {
	near := make([]bool, len(lines))
	for i, l := range lines {
		if l.Kind != Same {
			for k := max(0, i-contextLines); k <= min(len(lines)-1, i+contextLines); k++ {
				near[k] = true
			}
		}
	}
	shown := map[string]int{}
	for i, l := range lines {
		switch {
		case near[i]:
			switch shown[l.Kind]++; {
			case shown[l.Kind] <= linesMax:
				list = append(list, l)
			case list[len(list)-1].Kind != Rest:
				list = append(list, Line{Kind: Rest})
			}
		case len(list) == 0 || list[len(list)-1].Kind != Gap:
			list = append(list, Line{Kind: Gap})
		}
	}
	return list
}
