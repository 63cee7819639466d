package view

import (
	"plaza/locale"
	"plaza/ranking"
)

// ListingWindows are the windows of an order, with their texts in a tab, in a search, and in a page's title with the order.
var ListingWindows = []struct {
	Window             ranking.Window
	Label, Past, title locale.Text
}{
	{ranking.WindowHour, "Hour¦window", "Past hour", "{} of the past hour"},
	{ranking.WindowDay, "Day¦window", "Past day", "{} of the past day"},
	{ranking.WindowWeek, "Week¦window", "Past week", "{} of the past week"},
	{ranking.WindowMonth, "Month¦window", "Past month", "{} of the past month"},
	{ranking.WindowYear, "Year¦window", "Past year", "{} of the past year"},
	{ranking.WindowAll, "All time", "", "{} of all time"},
}

// DefaultWindow is the window of an address that names none.
const DefaultWindow = ranking.WindowDay
