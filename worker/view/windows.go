package view

import "plaza/ranking"

// ListingWindows are the windows of an order, as tabs show them, and what a page's title says of them.
var ListingWindows = []struct {
	Window      ranking.Window
	Label, past string
}{
	{ranking.WindowHour, "Hour", " of the past hour"},
	{ranking.WindowDay, "Day", " of the past day"},
	{ranking.WindowWeek, "Week", " of the past week"},
	{ranking.WindowMonth, "Month", " of the past month"},
	{ranking.WindowYear, "Year", " of the past year"},
	{ranking.WindowAll, "All time", " of all time"},
}

// DefaultWindow is the window of an address that names none.
const DefaultWindow = ranking.WindowDay
