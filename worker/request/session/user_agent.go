package session

import "strings"

// DeviceOf returns what a User-Agent header names in plain words, such as "Firefox on Linux", so that members recognise
// their devices. Browsers also name the browsers that they resemble, so the order matters.
func DeviceOf(agent string) string {
	browser, system := firstWord(agent, browsers), firstWord(agent, systems)
	switch {
	case browser == "" && system == "":
		name, _, _ := strings.Cut(agent, "/")
		if name = strings.TrimSpace(name); name == "" || name == "Mozilla" || len(name) > 30 || !isProgram(name) {
			return "An unknown device"
		}
		return "A program: " + name
	case browser == "":
		return "A program on " + system
	case system == "":
		return browser
	}
	return browser + " on " + system
}

// agentWord is a part of a User-Agent header, and what it means.
type agentWord struct{ word, name string }

var browsers = []agentWord{
	{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Vivaldi/", "Vivaldi"}, {"YaBrowser/", "Yandex"},
	{"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"CriOS/", "Chrome"}, {"HeadlessChrome/", "Chrome"}, {"Chrome/", "Chrome"},
	{"Chromium/", "Chromium"}, {"Safari/", "Safari"},
}

var systems = []agentWord{
	{"iPhone", "an iPhone"}, {"iPad", "an iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"}, {"Windows", "Windows"}, {"Mac OS X", "a Mac"},
	{"Linux", "Linux"},
}

func firstWord(agent string, list []agentWord) string {
	for _, w := range list {
		if strings.Contains(agent, w.word) {
			return w.name
		}
	}
	return ""
}

// isProgram reports whether s has only characters that names of programs have.
func isProgram(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' || r == ' ')
	}) < 0
}
