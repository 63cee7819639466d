package locale

// germanOwners are the phrases of what those who run a site owe to others: erasing, notices, reasons, numbers, conditions.
var germanOwners = []phrase{
	// Erasing.

	{"Erase", "Löschen für immer"},
	{"Erase…", "Für immer löschen …"},
	{"Erase this post for good?", "Diesen Beitrag für immer löschen?"},
	{"Erase this comment for good?", "Diesen Kommentar für immer löschen?"},
	{"Its place in the thread", "Seine Stelle im Thread"},
	{"Its author has deleted it. Erasing it also takes away what others wrote about it.",
		"Von dem, der es schrieb, wurde es schon gelöscht. Beim Löschen für immer verschwindet auch, was andere darüber geschrieben haben."},
	{"What will happen", "Was geschehen wird"},
	{"The words are gone at once from the site, its search, its feeds and later exports and backups. Nobody can bring them back.",
		"Die Worte verschwinden sofort von der Website, aus der Suche, den Feeds und späteren Exporten und Sicherungen. " +
			"Niemand kann sie zurückholen."},
	{"So are crossposts with the same title. The address of the thread changes, because it has words of the title. The comments stay.",
		"Das gilt auch für Crossposts mit demselben Titel. Die Adresse des Threads ändert sich, denn in ihr stehen Worte des Titels. " +
			"Die Kommentare bleiben."},
	{"Reports about it, appeals, messages and notes that quote it go as well. What others quote in comments of their own stays: erase " +
		"these one by one.",
		"Auch Meldungen darüber, Einsprüche, Nachrichten und Notizen, die daraus zitieren, verschwinden. Was andere in eigenen Kommentaren " +
			"zitieren, bleibt: lösche diese einzeln."},
	{"The author is told that it was erased, and why. The log has who erased it, when and why, and no word of it.",
		"Wer es geschrieben hat, erfährt, dass es gelöscht wurde und warum. Im Protokoll steht, wer wann und warum gelöscht hat, aber kein " +
			"Wort davon."},
	{"Copies of pages at the edge are purged at once.", "Kopien von Seiten am Rand des Netzes werden sofort verworfen."},
	{"Copies of pages for visitors at the edge run out within six minutes, and of linked pictures within an hour. While the site is " +
		"down, the edge shows them for up to an hour more.",
		"Kopien von Seiten für Gäste am Rand des Netzes verfallen in sechs Minuten, die von verlinkten Bildern in einer Stunde. Antwortet " +
			"die Website nicht, werden sie bis zu einer Stunde länger gezeigt."},
	{"Mails, feed readers and browsers that have it already keep it, and so do backups that were made before. Delete those backups.",
		"E-Mails, Feedreader und Browser, die es schon haben, behalten es, ebenso Sicherungen von früher. Lösche diese Sicherungen."},
	{"Why is it erased?", "Warum wird gelöscht?"},
	{"Erase for good", "Für immer löschen"},
	{"Please choose why it is erased.", "Bitte wähle, warum gelöscht wird."},
	{"There is no such post or comment here.", "So einen Beitrag oder Kommentar gibt es hier nicht."},
	{"It is erased, but copies at the edge could not be purged. Erase it once more to try again.",
		"Es ist gelöscht, aber Kopien am Rand des Netzes konnten nicht verworfen werden. Lösche es noch einmal, um es wieder zu versuchen."},
	{"{} erased {} for good", "{} hat {} für immer gelöscht"},
	{"Reason: {}", "Grund: {}"},
	{"Your post was erased for good", "Dein Beitrag wurde für immer gelöscht"},
	{"The post was erased for good", "Der Beitrag wurde für immer gelöscht"},
	{"Your comment was erased for good", "Dein Kommentar wurde für immer gelöscht"},
	{"The comment was erased for good", "Der Kommentar wurde für immer gelöscht"},
	{"Illegal content", "Rechtswidriger Inhalt"},
	{"Personal data", "Personenbezogene Daten"},
	{"Rights of others", "Rechte anderer"},
	{"At the request of its author", "Auf Wunsch der Person, die es schrieb"},
	{"Order of an authority", "Anordnung einer Behörde"},

	// Reasons of decisions.

	{"If you don't agree, appeal here first. Then you can also ask a court or, in the European Union, a certified body for the " +
		"settlement of disputes (Article 21 of the Digital Services Act).",
		"Wenn du anderer Meinung bist, lege zuerst hier Einspruch ein. Danach kannst du auch ein Gericht anrufen oder in der Europäischen " +
			"Union eine zertifizierte Stelle für die Beilegung von Streit (Artikel 21 des Gesetzes über digitale Dienste)."},
	{"Whoever runs the site decided this.", "Entschieden hat, wer die Website betreibt."},
	{"An automatic rule decided this, after members had reported it. Nobody has looked at it before.",
		"Eine automatische Regel hat entschieden, nachdem Mitglieder es gemeldet hatten. Vorher hat es niemand angesehen."},
	{"An automatic rule found it and decided this. Nobody has looked at it before.",
		"Eine automatische Regel hat es gefunden und entschieden. Vorher hat es niemand angesehen."},
	{"A person decided this, after a report.", "Ein Mensch hat entschieden, nach einer Meldung."},
	{"A person decided this, without a report.", "Ein Mensch hat entschieden, ohne Meldung."},
	{"A person decided this for the whole site.", "Ein Mensch hat für die ganze Website entschieden."},
	{"The ground is the law: the site does not host what is illegal.",
		"Der Grund ist das Gesetz: Rechtswidriges wird hier nicht veröffentlicht."},
	{"The ground is a rule that whoever takes part here has agreed to, and not the law.",
		"Der Grund ist eine Regel, der zustimmt, wer hier mitmacht, und nicht das Gesetz."},
	{"It ends by itself at that time.", "Es endet dann von selbst."},
	{"It can't be taken back: the words are gone.", "Es lässt sich nicht zurücknehmen: die Worte sind fort."},
	{"It lasts until somebody takes it back, after an appeal for example.",
		"Es gilt, bis es jemand zurücknimmt, zum Beispiel nach einem Einspruch."},
	{"It has no end, unless somebody takes it back, after an appeal for example.",
		"Es hat kein Ende, außer jemand nimmt es zurück, zum Beispiel nach einem Einspruch."},
}
