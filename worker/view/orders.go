package view

import (
	"plaza/data"
	"plaza/data/content/threads"
	"plaza/ranking"
)

// ListingOrders are the orders of listings, as tabs show them. An address without an order shows the first.
var ListingOrders = []struct {
	Name  string // in addresses, where it never changes
	Order data.Order
	label string
	flair bool // posts of one flair have it
}{
	{"hot", data.OrderHot, "Hot", true},
	{"new", data.OrderNew, "New", true},
	{"top", data.OrderTop, "Top", true},
	{"rising", data.OrderRising, "Rising", false},
	{"controversial", data.OrderControversial, "Controversial", false},
	{"comments", data.OrderComments, "Most commented", false},
	{"views", data.OrderViews, "Most viewed", false},
}

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

// ThreadOrders are the orders of a thread, as ?sort= and the tabs name them.
var ThreadOrders = []struct {
	Order data.Order
	Name  string // in addresses, where it never changes
	Label string
}{
	{threads.OrderBest, "best", "Best"},
	{data.OrderTop, "top", "Top"},
	{data.OrderNew, "new", "New"},
	{threads.OrderOld, "old", "Old"},
	{data.OrderControversial, "controversial", "Controversial"},
	{threads.OrderQA, "qa", "Q&A"},
}
