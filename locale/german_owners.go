package locale

// germanOwners are the phrases of what those who run a site owe to others: erasing, notices, reasons, numbers, conditions.
var germanOwners = []phrase{
	// Erasing.

	{"Erase", "Für immer löschen"},
	{"Erase…", "Für immer löschen …"},
	{"Erase this post for good?", "Diesen Beitrag für immer löschen?"},
	{"Erase this comment for good?", "Diesen Kommentar für immer löschen?"},
	{"Its place in the thread", "Seine Stelle im Thread"},
	{"Its author has deleted it. Erasing it also takes away what others wrote about it.",
		"Wer es geschrieben hat, hat es schon gelöscht. Beim Löschen für immer verschwindet auch, was andere darüber geschrieben haben."},
	{"What will happen", "Was geschehen wird"},
	{"The words are gone at once from the site, its search, its feeds and later exports and backups. Nobody can bring them back.",
		"Die Worte verschwinden sofort von der Website, aus der Suche, den Feeds und späteren Exporten und Sicherungen. " +
			"Niemand kann sie zurückholen."},
	{"Crossposts with the same title are erased as well. The address of the thread changes, because it has words of the title. The " +
		"comments stay.",
		"Crossposts mit demselben Titel werden auch gelöscht. Die Adresse des Threads ändert sich, denn in ihr stehen Worte des Titels. " +
			"Die Kommentare bleiben."},
	{"Reports about it, appeals, messages and notes that quote it go as well. What others quote in comments of their own stays: erase " +
		"these one by one.",
		"Auch Meldungen darüber, Einsprüche, Nachrichten und Notizen, die daraus zitieren, verschwinden. Was andere in eigenen Kommentaren " +
			"zitieren, bleibt: lösche diese einzeln."},
	{"The author is told that it was erased, and why. The log says who erased it, when and why, and quotes nothing.",
		"Wer es geschrieben hat, erfährt, dass es gelöscht wurde und warum. Im Protokoll steht, wer wann und warum gelöscht hat, aber " +
			"kein Zitat."},
	{"Cached copies of pages are deleted at once.", "Zwischengespeicherte Kopien von Seiten werden sofort gelöscht."},
	{"Cached copies of pages for visitors expire within six minutes, those of linked pictures within an hour. While the site is down, " +
		"they are shown for up to an hour more.",
		"Zwischengespeicherte Kopien von Seiten für Gäste verfallen in sechs Minuten, die von verlinkten Bildern in einer Stunde. Antwortet " +
			"die Website nicht, werden sie bis zu einer Stunde länger gezeigt."},
	{"Mails, feed readers and browsers that have it already keep it, and so do backups that were made before. Delete those backups.",
		"E-Mails, Feedreader und Browser, die es schon haben, behalten es, ebenso Sicherungen von früher. Lösche diese Sicherungen."},
	{"Why is it erased?", "Warum wird gelöscht?"},
	{"Erase for good", "Für immer löschen"},
	{"Please choose why it is erased.", "Bitte wähle, warum gelöscht wird."},
	{"There is no such post or comment here.", "So einen Beitrag oder Kommentar gibt es hier nicht."},
	{"It is erased, but its pictures or cached copies could not be deleted. Erase it once more to try again.",
		"Es ist gelöscht, aber seine Bilder oder zwischengespeicherte Kopien konnten nicht gelöscht werden. Lösche es noch einmal, um es " +
			"wieder zu versuchen."},
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

	// Notices by people without an account.

	{"Report illegal content", "Rechtswidriges melden"},
	{"Tell the site what is illegal, infringes your rights or is about you.",
		"Melde der Website, was rechtswidrig ist, deine Rechte verletzt oder dich betrifft."},
	{"Anybody can send this form, with or without an account. It is about one post, comment or profile. Moderators decide. You get the " +
		"decision by mail, and how to object.",
		"Alle können dieses Formular senden, mit oder ohne Konto. Es geht um einen Beitrag, einen Kommentar oder ein Profil. Die " +
			"Moderation entscheidet. Du bekommst die Entscheidung per E-Mail, und wie du widersprechen kannst."},
	{"This site sends no mails. Please {}.", "Diese Website verschickt keine E-Mails. Bitte {}."},
	{"This site sends no mails. Please write to the administrators.",
		"Diese Website verschickt keine E-Mails. Bitte schreib an die Administration."},
	{"Address of the post, comment or profile", "Adresse des Beitrags, Kommentars oder Profils"},
	{"What is wrong?", "Was ist falsch?"},
	{"It is illegal", "Es ist rechtswidrig"},
	{"It infringes my rights, such as copyright", "Es verletzt meine Rechte, etwa das Urheberrecht"},
	{"It is about me: personal data", "Es geht um mich: personenbezogene Daten"},
	{"Why", "Warum"},
	{"Which law or right, and where exactly. Moderators read it. At most 2,000 characters.",
		"Welches Gesetz oder Recht, und wo genau. Die Moderation liest es. Höchstens 2.000 Zeichen."},
	{"Your name", "Dein Name"},
	{"Email", "E-Mail"},
	{"You get two mails: one to confirm the notice, one with the decision. Nobody sees your address.",
		"Du bekommst zwei E-Mails: eine zum Bestätigen der Meldung, eine mit der Entscheidung. Niemand sieht deine Adresse."},
	{"I believe in good faith that what I write here is true and complete.",
		"Ich glaube nach bestem Wissen, dass wahr und vollständig ist, was ich hier schreibe."},
	{"Please confirm that you believe this to be true.", "Bitte bestätige, dass du es für wahr hältst."},
	{"Please choose what is wrong.", "Bitte wähle, was falsch ist."},
	{"Please write why.", "Bitte schreib, warum."},
	{"Please say who you are.", "Bitte sag, wer du bist."},
	{"There is no such post, comment or profile on this site. Please copy its address.",
		"So einen Beitrag, Kommentar oder ein solches Profil gibt es auf dieser Website nicht. Bitte kopiere die Adresse."},
	{"Many notices wait already. Please write to the administrators, or try again tomorrow.",
		"Es warten schon viele Meldungen. Bitte schreib an die Administration oder versuch es morgen noch einmal."},
	{"There is no such notice any more.", "Diese Meldung gibt es nicht mehr."},
	{"Please check your mail. The notice counts once you have confirmed your address.",
		"Bitte sieh in deine E-Mails. Die Meldung zählt, sobald du deine Adresse bestätigt hast."},
	{"Your notice", "Deine Meldung"},
	{"Nobody looks at it before you have confirmed it.", "Niemand sieht sie an, bevor du sie bestätigt hast."},
	{"It waits for the moderators. You will get a mail with their decision.",
		"Sie wartet auf die Moderation. Du bekommst die Entscheidung per E-Mail."},
	{"You have objected. It waits for the moderators once more.", "Du hast widersprochen. Sie wartet noch einmal auf die Moderation."},
	{"The content stays: the moderators found that it breaks neither the law nor a rule.",
		"Der Inhalt bleibt: Die Moderation sieht weder ein Gesetz noch eine Regel verletzt."},
	{"The content is gone: it was deleted.", "Der Inhalt ist fort: Er wurde gelöscht."},
	{"The content was removed.", "Der Inhalt wurde entfernt."},
	{"Confirm the notice", "Meldung bestätigen"},
	{"If you don't agree, you can also go to court or, in the European Union, to a certified out-of-court dispute settlement body " +
		"(Article 21 of the Digital Services Act).",
		"Wenn du anderer Meinung bist, kannst du auch ein Gericht anrufen oder in der Europäischen Union eine zertifizierte " +
			"außergerichtliche Streitbeilegungsstelle (Artikel 21 des Gesetzes über digitale Dienste)."},
	{"Object", "Widersprechen"},
	{"You can object once. At most 2,000 characters.", "Du kannst einmal widersprechen. Höchstens 2.000 Zeichen."},
	{"Confirm your notice to {}", "Bestätige deine Meldung an {}"},
	{"Somebody sent {} a notice about something on the site, and gave this address.",
		"Jemand hat {} etwas auf der Website gemeldet und diese Adresse angegeben."},
	{"Nobody looks at the notice before you have confirmed it. Later you can read the decision at the same address.",
		"Niemand sieht die Meldung an, bevor du sie bestätigt hast. Unter derselben Adresse kannst du später die Entscheidung lesen."},
	{"If it was not you, you need not do anything: two days from now the notice is deleted.",
		"Wenn du es nicht warst, brauchst du nichts zu tun: in zwei Tagen wird die Meldung gelöscht."},
	{"Decision about your notice to {}", "Entscheidung über deine Meldung an {}"},
	{"The page of your notice has the decision. If you can object to it, the form is there. You can also go to court or, in the " +
		"European Union, to a certified out-of-court dispute settlement body.",
		"Auf der Seite deiner Meldung steht die Entscheidung. Wenn du ihr widersprechen kannst, ist dort das Formular. Du kannst auch ein " +
			"Gericht anrufen oder in der Europäischen Union eine zertifizierte außergerichtliche Streitbeilegungsstelle."},
	{"You get this mail because you have given notice to {}.", "Du bekommst diese E-Mail, weil du {} etwas gemeldet hast."},
	{"Notice: illegal content", "Meldung: rechtswidriger Inhalt"},
	{"Notice: rights of others", "Meldung: Rechte anderer"},
	{"Notice: personal data", "Meldung: personenbezogene Daten"},

	// Reasons of decisions.

	{"If you don't agree, you can appeal here. You can also go to court or, in the European Union, to a certified out-of-court dispute " +
		"settlement body (Article 21 of the Digital Services Act).",
		"Wenn du anderer Meinung bist, kannst du hier Einspruch einlegen. Du kannst auch ein Gericht anrufen oder in der Europäischen " +
			"Union eine zertifizierte außergerichtliche Streitbeilegungsstelle (Artikel 21 des Gesetzes über digitale Dienste)."},
	{"Whoever runs the site decided this.", "Entschieden hat, wer die Website betreibt."},
	{"An automatic rule decided this, after members had reported it. Nobody had looked at it before.",
		"Eine automatische Regel hat entschieden, nachdem Mitglieder es gemeldet hatten. Vorher hat es niemand angesehen."},
	{"An automatic rule found it and decided this. Nobody had looked at it before.",
		"Eine automatische Regel hat es gefunden und entschieden. Vorher hat es niemand angesehen."},
	{"A person decided this, after a report.", "Ein Mensch hat entschieden, nach einer Meldung."},
	{"A person decided this, without a report.", "Ein Mensch hat entschieden, ohne Meldung."},
	{"A person decided this for the whole site.", "Ein Mensch hat für die ganze Website entschieden."},
	{"The ground is the law: the site does not host what is illegal.",
		"Der Grund ist das Gesetz: Rechtswidriges wird hier nicht veröffentlicht."},
	{"The ground is a rule of this site or community, not the law.",
		"Der Grund ist eine Regel dieser Website oder Community, kein Gesetz."},
	{"It ends by itself at that time.", "Es endet dann von selbst."},
	{"It can't be taken back: the words are gone.", "Es lässt sich nicht zurücknehmen: die Worte sind fort."},
	{"It lasts until somebody takes it back, after an appeal for example.",
		"Es gilt, bis es jemand zurücknimmt, zum Beispiel nach einem Einspruch."},
	{"It has no end, unless somebody takes it back, after an appeal for example.",
		"Es hat kein Ende, außer jemand nimmt es zurück, zum Beispiel nach einem Einspruch."},
}
