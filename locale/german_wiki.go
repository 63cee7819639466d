package locale

// germanWiki are the phrases of the pages that moderators of communities write.
var germanWiki = []phrase{
	{"New page", "Neue Seite"},
	{"This community has no pages yet.", "Diese Community hat noch keine Seiten."},
	{"Deleted pages", "Gelöschte Seiten"},
	{"Only moderators see these. Restore one from its history.",
		"Nur Moderatoren sehen sie. Im Verlauf einer Seite kannst du sie wiederherstellen."},
	{"Pages of c/{}", "Seiten von c/{}"},
	{"What the moderators of c/{} have written for its readers.", "Was die Moderatoren von c/{} für alle geschrieben haben, die dort lesen."},
	{"{}: a page of c/{}.", "{}: eine Seite von c/{}."},
	{"History", "Verlauf"},
	{"History: revision {}", "Verlauf: Fassung {}"},
	{"History of “{}”", "Verlauf von „{}“"},
	{"This page is deleted. Restoring a revision brings it back.",
		"Diese Seite ist gelöscht. Wenn du eine Fassung wiederherstellst, ist sie wieder da."},
	{"Revision {}", "Fassung {}"},
	{"restores revision {}", "stellt Fassung {} wieder her"},
	{"current revision", "aktuelle Fassung"},
	{"The page", "Die Seite"},
	{"Revision {} of “{}”", "Fassung {} von „{}“"},
	{"Restore this revision", "Diese Fassung wiederherstellen"},
	{"Changes since revision {}", "Änderungen seit Fassung {}"},
	{"The title was “{}”.", "Der Titel war „{}“."},
	{"The text is the same.", "Der Text ist derselbe."},
	{"Text of this revision", "Text dieser Fassung"},
	{"Added:", "Hinzugefügt:"},
	{"Removed:", "Entfernt:"},
	{"Create the page", "Seite anlegen"},
	{"Edit “{}”", "„{}“ bearbeiten"},
	{"Everybody who can read the community can read its pages and their history. The address is made from the title, and stays.",
		"Wer die Community lesen kann, kann auch ihre Seiten und deren Verlauf lesen. Die Adresse wird aus dem Titel gemacht und bleibt."},
	{"What the page says now", "Was jetzt auf der Seite steht"},
	{"Delete this page", "Diese Seite löschen"},
	{"Delete the page", "Seite löschen"},
	{"Moderators can restore it from the list of pages until ten others have been deleted after it.",
		"Moderatoren können sie in der Liste der Seiten wiederherstellen, bis danach zehn andere gelöscht wurden."},

	// What is refused.

	{"There is no such page in this community.", "In dieser Community gibt es keine solche Seite."},
	{"There is no such revision of this page. Only the last 100 are kept.",
		"Diese Seite hat keine solche Fassung. Nur die letzten 100 bleiben erhalten."},
	{"A page needs a title.", "Eine Seite braucht einen Titel."},
	{"A page has at most 20,000 characters.", "Eine Seite hat höchstens 20.000 Zeichen."},
	{"There is a page with this title already.", "Eine Seite mit diesem Titel gibt es schon."},
	{"A deleted page has this address. Please restore that page, or choose another title.",
		"Eine gelöschte Seite hat diese Adresse. Bitte stelle sie wieder her oder wähle einen anderen Titel."},
	{"A community has at most 10 pages. Please delete one first.", "Eine Community hat höchstens 10 Seiten. Bitte lösche vorher eine."},
	{"Somebody else has deleted this page in the meantime. Its history has a button that restores it.",
		"Inzwischen hat jemand anders diese Seite gelöscht. In ihrem Verlauf kannst du sie wiederherstellen."},
	{"Somebody else changed this page in the meantime. Below is what you wrote, and what the page says now; saving it " +
		"once more replaces theirs.",
		"Inzwischen hat jemand anders diese Seite geändert. Unten steht, was du geschrieben hast, und was jetzt auf der Seite steht. Wenn du " +
			"noch einmal speicherst, ersetzt es die andere Fassung."},

	// Erasing.

	{"Erase this revision", "Diese Fassung für immer löschen"},
	{"Erase this page and its history", "Diese Seite mit ihrem Verlauf für immer löschen"},
	{"Erase this page for good?", "Diese Seite für immer löschen?"},
	{"Erase revision {} for good?", "Fassung {} für immer löschen?"},
	{"The page and all its revisions are gone at once from the site, and from later exports and backups. Nobody can bring them back.",
		"Die Seite ist mit allen Fassungen sofort weg, auch aus späteren Exporten und Sicherungen. Niemand kann sie zurückholen."},
	{"This revision is gone at once from the history of the page, and from later backups. Nobody can bring it back. The page and its other " +
		"revisions stay.",
		"Diese Fassung ist sofort aus dem Verlauf der Seite weg, auch aus späteren Sicherungen. Niemand kann sie zurückholen. Die Seite und " +
			"ihre anderen Fassungen bleiben."},
	{"The log says who erased it, when and why, and quotes nothing.", "Im Protokoll steht, wer wann und warum gelöscht hat, und kein Zitat."},
	{"More lines differ, which are not shown here.", "Weitere Zeilen unterscheiden sich; sie werden hier nicht gezeigt."},
	{"There is no such page or revision any more.", "Diese Seite oder Fassung gibt es nicht mehr."},
	{"The page says this now. Take the words out of the page first, or erase the whole page.",
		"Das steht jetzt auf der Seite. Nimm die Worte zuerst aus der Seite, oder lösche die ganze Seite für immer."},
	{"It is erased, but its cached copies could not be deleted. They expire by themselves.",
		"Es ist gelöscht, aber die Kopien im Cache konnten nicht gelöscht werden. Sie laufen von selbst ab."},

	// The log.

	{"{} wrote the page {}", "{} hat die Seite {} geschrieben"},
	{"{} changed the page {}", "{} hat die Seite {} geändert"},
	{"{} deleted the page {}", "{} hat die Seite {} gelöscht"},
	{"{} restored the page {}", "{} hat die Seite {} wiederhergestellt"},
	{"{} erased words of a page for good", "{} hat Worte einer Seite für immer gelöscht"},
	{"{} page written|{} pages written", "{} Seite geschrieben|{} Seiten geschrieben"},
	{"{} change of a page|{} changes of pages", "{} Änderung an Seiten|{} Änderungen an Seiten"},
	{"{} page deleted|{} pages deleted", "{} Seite gelöscht|{} Seiten gelöscht"},
	{"{} page restored|{} pages restored", "{} Seite wiederhergestellt|{} Seiten wiederhergestellt"},
	{"{} erasure in a page|{} erasures in pages", "{} Löschung in Seiten|{} Löschungen in Seiten"},
}
