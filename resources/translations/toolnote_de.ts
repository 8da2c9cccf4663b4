<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>AboutDialog</name>
    <message>
        <source>Version {version}, with Qt {qt}</source>
        <translation>Version {version}, mit Qt {qt}</translation>
    </message>
    <message>
        <source>About Toolnote</source>
        <translation>Über Toolnote</translation>
    </message>
    <message>
        <source>What’s new</source>
        <translation>Neuigkeiten</translation>
    </message>
    <message>
        <source>License</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Third-party licenses</source>
        <translation>Lizenzen Dritter</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Check for updates</source>
        <translation>Nach Aktualisierungen suchen</translation>
    </message>
    <message>
        <source>Updated by your package manager.</source>
        <translation>Wird von Ihrer Paketverwaltung aktualisiert.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Toolnote runs from source here. The license is in its folder.</source>
        <translation>Toolnote läuft hier aus dem Quelltext. Die Lizenz liegt in dessen Ordner.</translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Worked</source>
        <translation>Erledigt</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Not allowed</source>
        <translation>Nicht erlaubt</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Clear decisions</source>
        <translation>Entscheidungen löschen</translation>
    </message>
    <message>
        <source>Toolnote can’t record calls now. {n} calls weren’t recorded.</source>
        <translation>Toolnote kann Aufrufe gerade nicht aufzeichnen. {n} Aufrufe fehlen.</translation>
    </message>
    <message>
        <source>All {source} tools</source>
        <translation>Alle Werkzeuge von {source}</translation>
    </message>
    <message>
        <source>Note “{name}” added</source>
        <translation>Notiz „{name}“ hinzugefügt</translation>
    </message>
    <message>
        <source>CSV file (*.csv)</source>
        <translation>CSV-Datei (*.csv)</translation>
    </message>
    <message>
        <source>JSON file (*.json)</source>
        <translation>JSON-Datei (*.json)</translation>
    </message>
    <message>
        <source>Export activity</source>
        <translation>Aktivität exportieren</translation>
    </message>
    <message>
        <source>Exporting activity</source>
        <translation>Aktivität wird exportiert</translation>
    </message>
    <message>
        <source>Couldn’t export the activity. {reason}</source>
        <translation>Die Aktivität konnte nicht exportiert werden. {reason}</translation>
    </message>
    <message>
        <source>Activity exported to {file}</source>
        <translation>Aktivität nach {file} exportiert</translation>
    </message>
    <message>
        <source>Decisions cleared</source>
        <translation>Entscheidungen gelöscht</translation>
    </message>
    <message>
        <source>Activity cleared</source>
        <translation>Aktivität geleert</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Export as CSV…</source>
        <translation>Als CSV exportieren …</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>Als JSON exportieren …</translation>
    </message>
    <message>
        <source>Clear activity</source>
        <translation>Aktivität leeren</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 Aufruf</translation>
    </message>
    <message numerus="yes">
        <source>%n calls</source>
        <translation>
            <numerusform>%n Aufruf</numerusform>
            <numerusform>%n Aufrufe</numerusform>
        </translation>
    </message>
    <message>
        <source>{calls}, {failed} failed</source>
        <translation>{calls}, {failed} fehlgeschlagen</translation>
    </message>
    <message>
        <source>{calls}, {failed} failed, {refused} not allowed</source>
        <translation>{calls}, {failed} fehlgeschlagen, {refused} nicht erlaubt</translation>
    </message>
    <message>
        <source>No calls match these filters.</source>
        <translation>Kein Aufruf passt zu diesen Filtern.</translation>
    </message>
    <message>
        <source>No calls yet. They appear here when an assistant uses a tool.</source>
        <translation>Noch keine Aufrufe. Sie erscheinen hier, sobald ein Assistent ein Werkzeug verwendet.</translation>
    </message>
    <message numerus="yes">
        <source>Last %n days</source>
        <translation>
            <numerusform>Letzter %n Tag</numerusform>
            <numerusform>Letzte %n Tage</numerusform>
        </translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>All assistants</source>
        <translation>Alle Assistenten</translation>
    </message>
    <message>
        <source>All tools</source>
        <translation>Alle Werkzeuge</translation>
    </message>
</context>
<context>
    <name>AddToolsDialog</name>
    <message>
        <source>Add tools to {toolset}</source>
        <translation>Werkzeuge zu {toolset} hinzufügen</translation>
    </message>
    <message>
        <source>Your notes on a tool come with it.</source>
        <translation>Ihre Notizen zu einem Werkzeug kommen mit.</translation>
    </message>
    <message>
        <source>Filter tools</source>
        <translation>Werkzeuge filtern</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>All tools of your tool sources are in this toolset.</source>
        <translation>Alle Werkzeuge Ihrer Werkzeugquellen sind in diesem Werkzeugsatz.</translation>
    </message>
    <message>
        <source>Add a tool source…</source>
        <translation>Werkzeugquelle hinzufügen …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>No results for “{text}”.</source>
        <translation>Keine Treffer für „{text}“.</translation>
    </message>
    <message>
        <source>Add tools</source>
        <translation>Werkzeuge hinzufügen</translation>
    </message>
    <message>
        <source>Add 1 tool</source>
        <translation>1 Werkzeug hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>Add %n tools</source>
        <translation>
            <numerusform>%n Werkzeug hinzufügen</numerusform>
            <numerusform>%n Werkzeuge hinzufügen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AddToolsPage</name>
    <message>
        <source>Add tools</source>
        <translation>Werkzeuge hinzufügen</translation>
    </message>
    <message>
        <source>Anyone can publish in the catalog. Check the publisher before you add.</source>
        <translation>Im Katalog kann jeder veröffentlichen. Prüfen Sie vor dem Hinzufügen, wer dahintersteht.</translation>
    </message>
    <message>
        <source>Catalog</source>
        <translation>Katalog</translation>
    </message>
    <message>
        <source>From another app</source>
        <translation>Aus einer anderen App</translation>
    </message>
    <message>
        <source>Paste or command</source>
        <translation>Einfügen oder Befehl</translation>
    </message>
</context>
<context>
    <name>AllowedForSessions</name>
    <message>
        <source>Allowed until the session ends</source>
        <translation>Erlaubt, bis die Sitzung endet</translation>
    </message>
    <message>
        <source>{0} runs {1} without asking you.</source>
        <translation>{0} führt {1} aus, ohne Sie zu fragen.</translation>
    </message>
    <message>
        <source>Ask me again</source>
        <translation>Wieder fragen</translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>Und %n weitere.</numerusform>
            <numerusform>Und %n weitere.</numerusform>
        </translation>
    </message>
    <message>
        <source>Ask me again about all of them</source>
        <translation>Bei allen wieder fragen</translation>
    </message>
</context>
<context>
    <name>ApprovalPrompts</name>
    <message>
        <source>{0} wants to run {1}</source>
        <translation>{0} möchte {1} ausführen</translation>
    </message>
    <message>
        <source>It waits for your answer.</source>
        <translation>Es wartet auf Ihre Antwort.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>1 more call</source>
        <translation>1 weiterer Aufruf</translation>
    </message>
    <message>
        <source>{0} more calls</source>
        <translation>{0} weitere Aufrufe</translation>
    </message>
    <message>
        <source>They wait for your answer.</source>
        <translation>Sie warten auf Ihre Antwort.</translation>
    </message>
    <message>
        <source>An assistant</source>
        <translation>Ein Assistent</translation>
    </message>
    <message>
        <source>Reaches beyond {0}</source>
        <translation>Reicht über {0} hinaus</translation>
    </message>
    <message>
        <source>Only reads from {0}</source>
        <translation>Liest nur aus {0}</translation>
    </message>
    <message>
        <source>A second run changes nothing more</source>
        <translation>Ein zweiter Lauf ändert nichts weiter</translation>
    </message>
    <message>
        <source>Can delete data on {0}</source>
        <translation>Kann Daten in {0} löschen</translation>
    </message>
    <message>
        <source>Changes data on {0}</source>
        <translation>Ändert Daten in {0}</translation>
    </message>
    <message>
        <source>{0} doesn’t say what it changes</source>
        <translation>{0} sagt nicht, was es ändert</translation>
    </message>
</context>
<context>
    <name>ApprovalWindow</name>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Don’t allow</source>
        <translation>Nicht erlauben</translation>
    </message>
    <message>
        <source>Don’t allow all</source>
        <translation>Alle nicht erlauben</translation>
    </message>
    <message>
        <source>Allow for this session</source>
        <translation>Für diese Sitzung erlauben</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>Einmal erlauben</translation>
    </message>
    <message>
        <source>More ways to allow</source>
        <translation>Weitere Möglichkeiten zu erlauben</translation>
    </message>
    <message>
        <source>Always with these arguments</source>
        <translation>Immer mit diesen Argumenten</translation>
    </message>
    <message>
        <source>{0} wants to run {1}</source>
        <translation>{0} möchte {1} ausführen</translation>
    </message>
    <message>
        <source>No arguments</source>
        <translation>Keine Argumente</translation>
    </message>
    <message>
        <source>Your note</source>
        <translation>Ihre Notiz</translation>
    </message>
    <message>
        <source>1 of {0}</source>
        <translation>1 von {0}</translation>
    </message>
    <message>
        <source>Not allowed automatically in {0}</source>
        <translation>Wird in {0} automatisch nicht erlaubt</translation>
    </message>
</context>
<context>
    <name>AssistantCard</name>
    <message>
        <source>No toolset</source>
        <translation>Kein Werkzeugsatz</translation>
    </message>
</context>
<context>
    <name>AssistantInspector</name>
    <message>
        <source>Inspector</source>
        <translation>Seitenleiste rechts</translation>
    </message>
    <message>
        <source>What it reads</source>
        <translation>Was er liest</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Last calls</source>
        <translation>Letzte Aufrufe</translation>
    </message>
    <message>
        <source>All calls</source>
        <translation>Alle Aufrufe</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
    <message>
        <source>{assistant} warns above {limit}.</source>
        <translation>{assistant} warnt ab {limit}.</translation>
    </message>
    <message>
        <source>{assistant} takes {limit}.</source>
        <translation>{assistant} nimmt {limit} an.</translation>
    </message>
    <message>
        <source>These are {n} from {toolset} and {own} of Toolnote’s own.</source>
        <translation>Das sind {n} aus {toolset} und {own} von Toolnote selbst.</translation>
    </message>
    <message>
        <source>{0} reads the names first, and a tool’s text when it looks for it.</source>
        <translation>{0} liest zuerst die Namen und den Text eines Werkzeugs, wenn er es sucht.</translation>
    </message>
    <message>
        <source>Choose Toolnote’s own tools…</source>
        <translation>Toolnotes Werkzeuge wählen …</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>about {0}</source>
        <translation>etwa {0}</translation>
    </message>
    <message>
        <source>Your notes are {0} of them.</source>
        <translation>Ihre Notizen machen {0} davon aus.</translation>
    </message>
    <message>
        <source>{0} has no known limit.</source>
        <translation>{0} hat keine bekannte Grenze.</translation>
    </message>
    <message>
        <source>{0} has a context of {1}. A list should take at most {2}.</source>
        <translation>{0} hat einen Kontext von {1}. Eine Liste sollte höchstens {2} davon brauchen.</translation>
    </message>
    <message>
        <source>{0} accepts {1}.</source>
        <translation>{0} nimmt {1} an.</translation>
    </message>
</context>
<context>
    <name>AssistantPage</name>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Remove from list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Connect by address</source>
        <translation>Über die Adresse verbinden</translation>
    </message>
    <message>
        <source>New token</source>
        <translation>Neues Token</translation>
    </message>
    <message>
        <source>Token renewed</source>
        <translation>Token erneuert</translation>
    </message>
    <message>
        <source>Revoke token</source>
        <translation>Token widerrufen</translation>
    </message>
    <message>
        <source>Replace the edited entry</source>
        <translation>Geänderten Eintrag ersetzen</translation>
    </message>
    <message>
        <source>Entry replaced</source>
        <translation>Eintrag ersetzt</translation>
    </message>
    <message>
        <source>Read the settings file again</source>
        <translation>Einstellungsdatei neu lesen</translation>
    </message>
    <message>
        <source>Toolset</source>
        <translation>Werkzeugsatz</translation>
    </message>
    <message>
        <source>Its own copies</source>
        <translation>Eigene Kopien</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>Einstellungsdatei</translation>
    </message>
    <message>
        <source>Show the change to its settings file</source>
        <translation>Änderung an der Einstellungsdatei zeigen</translation>
    </message>
    <message>
        <source>Change to its settings file</source>
        <translation>Änderung an der Einstellungsdatei</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Disconnect…</source>
        <translation>Trennen …</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>Default toolset ({0})</source>
        <translation>Standardsatz ({0})</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>{0} öffnen</translation>
    </message>
    <message>
        <source>No toolset yet, so {0} gets none of your tools.</source>
        <translation>Noch kein Werkzeugsatz, deshalb bekommt {0} keines Ihrer Werkzeuge.</translation>
    </message>
    <message>
        <source>Update its entry</source>
        <translation>Eintrag aktualisieren</translation>
    </message>
    <message>
        <source>Takes Toolnote out of {0} and restores its settings file as it was.</source>
        <translation>Entfernt Toolnote aus {0} und stellt die Einstellungsdatei wieder her, wie sie war.</translation>
    </message>
    <message>
        <source>Adds one entry to {0}’s settings file. A copy of the file as it is now is kept.</source>
        <translation>Fügt der Einstellungsdatei von {0} einen Eintrag hinzu. Eine Kopie der jetzigen Datei bleibt erhalten.</translation>
    </message>
    <message>
        <source>Turned off in {0}, so that each tool appears there only once. Turned back on when you disconnect.</source>
        <translation>In {0} ausgeschaltet, damit jedes Werkzeug dort nur einmal erscheint. Beim Trennen wieder eingeschaltet.</translation>
    </message>
    <message>
        <source>Connecting turns these off in {0}, so that each tool appears there only once. Disconnecting turns them back on.</source>
        <translation>Beim Verbinden werden sie in {0} ausgeschaltet, damit jedes Werkzeug dort nur einmal erscheint. Beim Trennen werden sie wieder eingeschaltet.</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Last active</source>
        <translation>Zuletzt aktiv</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Reading its settings…</source>
        <translation>Einstellungen werden gelesen …</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>Eingerichtet</translation>
    </message>
    <message>
        <source>Set up. Its entry was edited by hand and stays as it is.</source>
        <translation>Eingerichtet. Der Eintrag wurde von Hand geändert und bleibt, wie er ist.</translation>
    </message>
    <message>
        <source>Set up.</source>
        <translation>Eingerichtet.</translation>
    </message>
    <message>
        <source>{0} isn’t on this computer.</source>
        <translation>{0} ist nicht auf diesem Computer.</translation>
    </message>
    <message>
        <source>Not connected yet</source>
        <translation>Noch nicht verbunden</translation>
    </message>
    <message>
        <source>{copy} turned off in {assistant}</source>
        <translation>{copy} in {assistant} ausgeschaltet</translation>
    </message>
    <message>
        <source>{copy} turned on in {assistant}</source>
        <translation>{copy} in {assistant} eingeschaltet</translation>
    </message>
    <message>
        <source>{0} reconnected</source>
        <translation>{0} neu verbunden</translation>
    </message>
    <message>
        <source>{0} connected</source>
        <translation>{0} verbunden</translation>
    </message>
    <message>
        <source>Disconnect {0}?</source>
        <translation>{0} trennen?</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Trennen</translation>
    </message>
    <message>
        <source>{0} disconnected</source>
        <translation>{0} getrennt</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Not needed</source>
        <translation>Nicht nötig</translation>
    </message>
</context>
<context>
    <name>BenchPage</name>
    <message>
        <source>Bench</source>
        <translation>Prüfstand</translation>
    </message>
    <message>
        <source>Asks a model your prompts, with and without your notes. It calls no tool and never runs by itself.</source>
        <translation>Stellt einem Modell Ihre Aufgaben, mit und ohne Ihre Notizen. Es ruft kein Werkzeug auf und läuft nie von selbst.</translation>
    </message>
    <message>
        <source>Run…</source>
        <translation>Starten …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Add a prompt</source>
        <translation>Aufgabe hinzufügen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Kind of endpoint</source>
        <translation>Art des Endpunkts</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Prices of a million tokens, in and out</source>
        <translation>Preise für eine Million Token, Eingabe und Ausgabe</translation>
    </message>
    <message>
        <source>Set the key…</source>
        <translation>Schlüssel eingeben …</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>Verglichen wird</translation>
    </message>
    <message>
        <source>New text of the note</source>
        <translation>Neuer Text der Notiz</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Answers of one conversation</source>
        <translation>Antworten je Unterhaltung</translation>
    </message>
    <message>
        <source>Endpoint</source>
        <translation>Endpunkt</translation>
    </message>
    <message>
        <source>Repeat each prompt</source>
        <translation>Jede Aufgabe wiederholen</translation>
    </message>
    <message>
        <source>Bench of {0}</source>
        <translation>Prüfstand von {0}</translation>
    </message>
    <message>
        <source>With your notes and without</source>
        <translation>Mit Ihren Notizen und ohne</translation>
    </message>
    <message>
        <source>Add prompts first. About forty are needed to see a small effect.</source>
        <translation>Fügen Sie zuerst Aufgaben hinzu. Für eine kleine Wirkung sind etwa vierzig nötig.</translation>
    </message>
    <message>
        <source>Name a model first.</source>
        <translation>Nennen Sie zuerst ein Modell.</translation>
    </message>
    <message>
        <source>Write another text for the note first.</source>
        <translation>Schreiben Sie zuerst einen anderen Text der Notiz.</translation>
    </message>
    <message>
        <source>{requests} requests, about {tokens} tokens</source>
        <translation>{requests} Anfragen, etwa {tokens} Token</translation>
    </message>
    <message>
        <source>{tokens}, about {cost} at your prices</source>
        <translation>{tokens}, etwa {cost} zu Ihren Preisen</translation>
    </message>
    <message>
        <source>Model of the bench changed</source>
        <translation>Modell des Prüfstands geändert</translation>
    </message>
    <message>
        <source>Prompts of the bench changed</source>
        <translation>Aufgaben des Prüfstands geändert</translation>
    </message>
    <message>
        <source>Describe what you want here</source>
        <translation>Beschreiben Sie hier, was Sie möchten</translation>
    </message>
    <message>
        <source>Run the bench?</source>
        <translation>Prüfstand starten?</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>{0} of {1} answers</source>
        <translation>{0} von {1} Antworten</translation>
    </message>
    <message>
        <source>The new text helps.</source>
        <translation>Der neue Text hilft.</translation>
    </message>
    <message>
        <source>Your notes help.</source>
        <translation>Ihre Notizen helfen.</translation>
    </message>
    <message>
        <source>The new text harms.</source>
        <translation>Der neue Text schadet.</translation>
    </message>
    <message>
        <source>Your notes harm.</source>
        <translation>Ihre Notizen schaden.</translation>
    </message>
    <message>
        <source>No difference seen.</source>
        <translation>Kein Unterschied zu sehen.</translation>
    </message>
    <message>
        <source>Right call</source>
        <translation>Richtiger Aufruf</translation>
    </message>
    <message>
        <source>Right tool</source>
        <translation>Richtiges Werkzeug</translation>
    </message>
    <message>
        <source>Right arguments</source>
        <translation>Richtige Argumente</translation>
    </message>
    <message>
        <source>Extra calls</source>
        <translation>Zusätzliche Aufrufe</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>Wie es ist</translation>
    </message>
    <message>
        <source>New text</source>
        <translation>Neuer Text</translation>
    </message>
    <message>
        <source>Without</source>
        <translation>Ohne</translation>
    </message>
    <message>
        <source>With notes</source>
        <translation>Mit Notizen</translation>
    </message>
    <message>
        <source>Difference (95 % interval)</source>
        <translation>Unterschied (95-%-Intervall)</translation>
    </message>
    <message>
        <source>Worse with them: {0}</source>
        <translation>Schlechter damit: {0}</translation>
    </message>
    <message>
        <source>Answers that the endpoint cut off or refused: {0}</source>
        <translation>Antworten, die der Endpunkt abgeschnitten oder verweigert hat: {0}</translation>
    </message>
</context>
<context>
    <name>BudgetPage</name>
    <message>
        <source>What the lists cost</source>
        <translation>Was die Listen kosten</translation>
    </message>
    <message>
        <source>Tokens of each toolset’s list for each assistant. Press a number to give the assistant that toolset.</source>
        <translation>Token der Liste jedes Werkzeugsatzes für jeden Assistenten. Drücken Sie eine Zahl, um dem Assistenten diesen Werkzeugsatz zuzuweisen.</translation>
    </message>
    <message>
        <source>No assistant is set up, or there is no toolset.</source>
        <translation>Kein Assistent ist eingerichtet, oder es gibt keinen Werkzeugsatz.</translation>
    </message>
    <message numerus="yes">
        <source>%n more rows and columns are not shown. The command “toolnote budget” has all.</source>
        <translation>
            <numerusform>%n weitere Zeile oder Spalte wird nicht gezeigt. Der Befehl „toolnote budget“ hat alle.</numerusform>
            <numerusform>%n weitere Zeilen und Spalten werden nicht gezeigt. Der Befehl „toolnote budget“ hat alle.</numerusform>
        </translation>
    </message>
    <message>
        <source>Searches, {0} tokens</source>
        <translation>Sucht, {0} Token</translation>
    </message>
    <message>
        <source>{0} tokens, {tools}: too many for it</source>
        <translation>{0} Token, {tools}: zu viele für ihn</translation>
    </message>
    <message>
        <source>{0} tokens, too many for it</source>
        <translation>{0} Token, zu viele für ihn</translation>
    </message>
    <message>
        <source>{0} tokens</source>
        <translation>{0} Token</translation>
    </message>
    <message>
        <source>In use: {0}</source>
        <translation>In Gebrauch: {0}</translation>
    </message>
</context>
<context>
    <name>CallDetails</name>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Sent and received</source>
        <translation>Gesendet und empfangen</translation>
    </message>
    <message>
        <source>Notes it had read</source>
        <translation>Gelesene Notizen</translation>
    </message>
    <message>
        <source>Open tool</source>
        <translation>Werkzeug öffnen</translation>
    </message>
    <message>
        <source>Write a note about this</source>
        <translation>Notiz dazu schreiben</translation>
    </message>
    <message>
        <source>Add this note</source>
        <translation>Notiz übernehmen</translation>
    </message>
    <message>
        <source>Write a note…</source>
        <translation>Notiz schreiben …</translation>
    </message>
    <message>
        <source>Add to the bench</source>
        <translation>Zum Prüfstand hinzufügen</translation>
    </message>
    <message>
        <source>Use what worked</source>
        <translation>Das Gelungene übernehmen</translation>
    </message>
    <message>
        <source>What is kept of its calls</source>
        <translation>Was von den Aufrufen aufbewahrt wird</translation>
    </message>
    <message>
        <source>{source}, called by {assistant} {when}</source>
        <translation>{source}, aufgerufen von {assistant} {when}</translation>
    </message>
    <message>
        <source>{tool} worked in {time}</source>
        <translation>{tool} war nach {time} fertig</translation>
    </message>
    <message>
        <source>{tool} was not allowed</source>
        <translation>{tool} wurde nicht erlaubt</translation>
    </message>
    <message>
        <source>{tool} was canceled</source>
        <translation>{tool} wurde abgebrochen</translation>
    </message>
    <message>
        <source>{tool} took too long</source>
        <translation>{tool} hat zu lange gedauert</translation>
    </message>
    <message>
        <source>{tool} failed</source>
        <translation>{tool} ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>What {source} answered</source>
        <translation>Antwort von {source}</translation>
    </message>
    <message numerus="yes">
        <source>Kept for %n days.</source>
        <translation>
            <numerusform>Wird %n Tag aufbewahrt.</numerusform>
            <numerusform>Wird %n Tage aufbewahrt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Toolnote keeps what {source} answered to a failed call, nothing else.</source>
        <translation>Toolnote bewahrt nur auf, was {source} auf einen fehlgeschlagenen Aufruf geantwortet hat.</translation>
    </message>
    <message>
        <source>Keep nothing else</source>
        <translation>Sonst nichts aufbewahren</translation>
    </message>
    <message numerus="yes">
        <source>Keep what is sent and received for %n days</source>
        <translation>
            <numerusform>Gesendetes und Empfangenes %n Tag aufbewahren</numerusform>
            <numerusform>Gesendetes und Empfangenes %n Tage aufbewahren</numerusform>
        </translation>
    </message>
    <message>
        <source>Not known: it had fetched no list.</source>
        <translation>Nicht bekannt: Es war keine Liste abgerufen.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>When {source} answers “{message}”: </source>
        <translation>Wenn {source} „{message}“ antwortet: </translation>
    </message>
</context>
<context>
    <name>CallsChart</name>
    <message>
        <source>Calls of each day</source>
        <translation>Aufrufe je Tag</translation>
    </message>
</context>
<context>
    <name>CallsModel</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Notes read</source>
        <translation>Gelesene Notizen</translation>
    </message>
</context>
<context>
    <name>CallsTable</name>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Not allowed</source>
        <translation>Nicht erlaubt</translation>
    </message>
</context>
<context>
    <name>CarrierRow</name>
    <message>
        <source>Where it reads your notes</source>
        <translation>Wo er Ihre Notizen liest</translation>
    </message>
    <message>
        <source>Tool descriptions and instructions, while it is connected. Also, if you like:</source>
        <translation>Beschreibungen der Werkzeuge und Anweisungen, solange er verbunden ist. Auf Wunsch auch:</translation>
    </message>
    <message>
        <source>The rules of a project…</source>
        <translation>Die Regeln eines Projekts…</translation>
    </message>
    <message>
        <source>Notes of {0}.</source>
        <translation>Notizen von {0}.</translation>
    </message>
    <message>
        <source>Install it with: {0}</source>
        <translation>Installieren Sie es mit: {0}</translation>
    </message>
    <message>
        <source>Install it in {0} from this folder.</source>
        <translation>Installieren Sie es in {0} aus diesem Ordner.</translation>
    </message>
    <message>
        <source>A skill</source>
        <translation>Ein Skill</translation>
    </message>
    <message>
        <source>A plugin</source>
        <translation>Ein Plugin</translation>
    </message>
    <message>
        <source>Rules for all projects</source>
        <translation>Regeln für alle Projekte</translation>
    </message>
    <message>
        <source>Rules of a project</source>
        <translation>Regeln eines Projekts</translation>
    </message>
    <message>
        <source>File with rules, such as CLAUDE.md or AGENTS.md</source>
        <translation>Datei mit Regeln, etwa CLAUDE.md oder AGENTS.md</translation>
    </message>
    <message>
        <source>Notes removed from {0}</source>
        <translation>Notizen aus {0} entfernt</translation>
    </message>
    <message>
        <source>Notes written into {0}</source>
        <translation>Notizen in {0} geschrieben</translation>
    </message>
</context>
<context>
    <name>CatalogInspector</name>
    <message>
        <source>Inspector</source>
        <translation>Seitenleiste rechts</translation>
    </message>
    <message>
        <source>What it asks for</source>
        <translation>Was sie verlangt</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Add its tools to</source>
        <translation>Werkzeuge hinzufügen zu</translation>
    </message>
    <message>
        <source>Its texts may try to mislead assistants. Read them:</source>
        <translation>Die Texte dieser Quelle wollen Assistenten vielleicht täuschen. Lesen Sie sie:</translation>
    </message>
    <message>
        <source>Official, published by {publisher}</source>
        <translation>Offiziell, veröffentlicht von {publisher}</translation>
    </message>
    <message>
        <source>Its publisher no longer maintains it.</source>
        <translation>Wird nicht mehr gepflegt.</translation>
    </message>
    <message>
        <source>Toolnote can’t start it ({0}). Its website says how to set it up.</source>
        <translation>Toolnote kann sie nicht starten ({0}). Wie man sie einrichtet, steht auf ihrer Website.</translation>
    </message>
    <message>
        <source>Add {source}</source>
        <translation>{source} hinzufügen</translation>
    </message>
    <message>
        <source>{source} may open in your browser and ask you to sign in.</source>
        <translation>{source} öffnet womöglich Ihren Browser und bittet Sie, sich anzumelden.</translation>
    </message>
    <message>
        <source>Nothing that its publisher names.</source>
        <translation>Nichts, was angegeben wäre.</translation>
    </message>
    <message>
        <source>Connects to</source>
        <translation>Verbindet sich mit</translation>
    </message>
    <message>
        <source>Starts on this computer</source>
        <translation>Startet auf diesem Computer</translation>
    </message>
</context>
<context>
    <name>CatalogPanel</name>
    <message>
        <source>Search the catalog</source>
        <translation>Katalog durchsuchen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Popular</source>
        <translation>Beliebt</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>No key needed</source>
        <translation>Ohne Schlüssel</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>Mehr anzeigen</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft …</translation>
    </message>
    <message>
        <source>No network. These are the sources that came with Toolnote.</source>
        <translation>Kein Netz. Das sind die Quellen, die Toolnote mitbringt.</translation>
    </message>
    <message>
        <source>{0} These are the sources that came with Toolnote.</source>
        <translation>{0} Das sind die Quellen, die Toolnote mitbringt.</translation>
    </message>
    <message>
        <source>No results for “{0}”.</source>
        <translation>Keine Ergebnisse für „{0}“.</translation>
    </message>
    <message>
        <source>No results.</source>
        <translation>Keine Ergebnisse.</translation>
    </message>
</context>
<context>
    <name>ChangeReviewPage</name>
    <message>
        <source>Turn off this tool</source>
        <translation>Dieses Werkzeug ausschalten</translation>
    </message>
    <message>
        <source>Keep the old version</source>
        <translation>Alte Fassung behalten</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Turn on Ask me first</source>
        <translation>„Mich vorher fragen“ einschalten</translation>
    </message>
    <message>
        <source>Keeping the old version keeps its text. The tool itself already works the new way.</source>
        <translation>Die alte Fassung behält nur ihren Text. Das Werkzeug selbst arbeitet schon auf die neue Art.</translation>
    </message>
    <message>
        <source>Turn off this prompt</source>
        <translation>Diesen Prompt ausschalten</translation>
    </message>
    <message>
        <source>Keeping the old version keeps its description. Its messages are the new ones.</source>
        <translation>Die alte Fassung behält die Beschreibung. Die Nachrichten des Prompts sind die neuen.</translation>
    </message>
    <message>
        <source>{0} changed {1}</source>
        <translation>{0} hat {1} geändert</translation>
    </message>
    <message>
        <source>Assistants already read the new version.</source>
        <translation>Assistenten lesen schon die neue Fassung.</translation>
    </message>
    <message>
        <source>Assistants still read the old version.</source>
        <translation>Assistenten lesen noch die alte Fassung.</translation>
    </message>
    <message>
        <source>Its server changed it once more since this was shown.</source>
        <translation>Der Server hat es noch einmal geändert, seit dies angezeigt wird.</translation>
    </message>
    <message>
        <source>Show the newest version</source>
        <translation>Neueste Fassung anzeigen</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message numerus="yes">
        <source>Your %n notes on this tool</source>
        <translation>
            <numerusform>Ihre %n Notiz zu diesem Werkzeug</numerusform>
            <numerusform>Ihre %n Notizen zu diesem Werkzeug</numerusform>
        </translation>
    </message>
    <message>
        <source>Your note on this tool</source>
        <translation>Ihre Notiz zu diesem Werkzeug</translation>
    </message>
    <message>
        <source>You have no notes on this tool</source>
        <translation>Sie haben keine Notizen zu diesem Werkzeug</translation>
    </message>
    <message>
        <source>It was called {0}, and {1} are still on that name.</source>
        <translation>Es hieß {0}; {1} stehen noch unter diesem Namen.</translation>
    </message>
    <message>
        <source>It was called {0}, and {1} is still on that name.</source>
        <translation>Es hieß {0}; {1} steht noch unter diesem Namen.</translation>
    </message>
    <message>
        <source>It was called {0}, and your settings are still on that name.</source>
        <translation>Es hieß {0}; Ihre Einstellungen stehen noch unter diesem Namen.</translation>
    </message>
    <message>
        <source>Move to the new name</source>
        <translation>Auf den neuen Namen übertragen</translation>
    </message>
    <message>
        <source>Check this note. It names {0}, which changed.</source>
        <translation>Prüfen Sie diese Notiz. Sie nennt {0}, das sich geändert hat.</translation>
    </message>
    <message>
        <source>Still fits. It names nothing that changed.</source>
        <translation>Passt noch. Sie nennt nichts, was sich geändert hat.</translation>
    </message>
    <message>
        <source>This tool can now delete data. Ask me first is on, so you see each call before it runs.</source>
        <translation>Dieses Werkzeug kann jetzt Daten löschen. „Mich vorher fragen“ ist an: Sie sehen jeden Aufruf, bevor er läuft.</translation>
    </message>
    <message>
        <source>This tool can now delete data. Ask me first is off.</source>
        <translation>Dieses Werkzeug kann jetzt Daten löschen. „Mich vorher fragen“ ist aus.</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Can change data</source>
        <translation>Kann Daten ändern</translation>
    </message>
    <message>
        <source>Can delete data</source>
        <translation>Kann Daten löschen</translation>
    </message>
    <message>
        <source>Reaches the outside world</source>
        <translation>Erreicht die Außenwelt</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>This is the newest version. Its server sent it after the one that was shown.</source>
        <translation>Dies ist die neueste Fassung. Der Server hat sie nach der angezeigten geschickt.</translation>
    </message>
    <message>
        <source>Didn’t exist</source>
        <translation>Gab es nicht</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>Entfallen</translation>
    </message>
    <message>
        <source>Parameter {0}</source>
        <translation>Parameter {0}</translation>
    </message>
    <message>
        <source>Choice of {0}</source>
        <translation>Auswahl aus {0}</translation>
    </message>
    <message>
        <source>required</source>
        <translation>erforderlich</translation>
    </message>
</context>
<context>
    <name>ChooseAssistantPage</name>
    <message>
        <source>Connect an assistant</source>
        <translation>Assistenten verbinden</translation>
    </message>
    <message>
        <source>Toolnote adds one entry to the assistant’s settings file. You see the change first.</source>
        <translation>Toolnote fügt der Einstellungsdatei des Assistenten einen Eintrag hinzu. Sie sehen die Änderung vorher.</translation>
    </message>
    <message>
        <source>Searching this computer…</source>
        <translation>Dieser Computer wird durchsucht …</translation>
    </message>
    <message>
        <source>Not on this computer</source>
        <translation>Nicht auf diesem Computer</translation>
    </message>
    <message>
        <source>Set up another assistant manually</source>
        <translation>Anderen Assistenten von Hand einrichten</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>Eingerichtet</translation>
    </message>
    <message>
        <source>Not connected yet</source>
        <translation>Noch nicht verbunden</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>Verbinden …</translation>
    </message>
    <message>
        <source>No assistants found on this computer yet. Install one, then come back.</source>
        <translation>Auf diesem Computer wurden noch keine Assistenten gefunden. Installieren Sie einen und kommen Sie dann zurück.</translation>
    </message>
</context>
<context>
    <name>ChoosePlaceDialog</name>
    <message>
        <source>A note in a toolset is for the assistants that use it; one in every toolset is for all.</source>
        <translation>In einem Werkzeugsatz liest eine Notiz, wer ihn verwendet; in jedem Werkzeugsatz lesen sie alle.</translation>
    </message>
    <message>
        <source>Toolset</source>
        <translation>Werkzeugsatz</translation>
    </message>
    <message>
        <source>In “{toolset}”</source>
        <translation>In „{toolset}“</translation>
    </message>
    <message>
        <source>In every toolset</source>
        <translation>In jedem Werkzeugsatz</translation>
    </message>
    <message>
        <source>Find a tool</source>
        <translation>Ein Werkzeug suchen</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>ClosePolicy</name>
    <message>
        <source>Keep Toolnote running?</source>
        <translation>Soll Toolnote weiterlaufen?</translation>
    </message>
    <message>
        <source>This desktop has no tray. Assistants lose their tools when Toolnote quits. Your choice is remembered; change it in the settings.</source>
        <translation>Dieser Desktop hat keinen Infobereich. Assistenten verlieren ihre Werkzeuge, wenn Toolnote beendet wird. Ihre Wahl wird gemerkt; Sie können sie in den Einstellungen ändern.</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Keep running minimized</source>
        <translation>Minimiert weiterlaufen lassen</translation>
    </message>
</context>
<context>
    <name>CollapsibleHeader</name>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>geschlossen</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Something went wrong in Toolnote</source>
        <translation>In Toolnote ist etwas schiefgegangen</translation>
    </message>
    <message>
        <source>Your notes are saved, and Toolnote keeps running. This report says what happened. It has no secrets and stays here unless you send it.</source>
        <translation>Ihre Notizen sind gespeichert, und Toolnote läuft weiter. Dieser Bericht sagt, was geschah. Er enthält keine Geheimnisse und bleibt hier, wenn Sie ihn nicht senden.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>DecisionsModel</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Wer</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>Betrifft</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
</context>
<context>
    <name>DecisionsView</name>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Definitions</source>
        <translation>Definitionen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Assistants</source>
        <translation>Assistenten</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>The newest {n} are shown. An export has all.</source>
        <translation>Die neuesten {n} sind zu sehen. Ein Export enthält alle.</translation>
    </message>
    <message>
        <source>No decisions match these filters.</source>
        <translation>Keine Entscheidung entspricht diesen Filtern.</translation>
    </message>
</context>
<context>
    <name>DesktopApp</name>
    <message>
        <source>My tools</source>
        <translation>Meine Werkzeuge</translation>
    </message>
</context>
<context>
    <name>DesktopServices</name>
    <message>
        <source>what you dropped</source>
        <translation>dem, was Sie abgelegt haben</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
</context>
<context>
    <name>DialogOpener</name>
    <message>
        <source>Key saved</source>
        <translation>Schlüssel gespeichert</translation>
    </message>
    <message>
        <source>Add from a file</source>
        <translation>Aus einer Datei hinzufügen</translation>
    </message>
    <message>
        <source>Toolsets and settings ({0})</source>
        <translation>Werkzeugsätze und Einstellungen ({0})</translation>
    </message>
    <message>
        <source>All files ({0})</source>
        <translation>Alle Dateien ({0})</translation>
    </message>
</context>
<context>
    <name>DocumentView</name>
    <message>
        <source>Ask me first</source>
        <translation>Mich vorher fragen</translation>
    </message>
    <message>
        <source>Confirmation word</source>
        <translation>Bestätigungswort</translation>
    </message>
    <message>
        <source>When to use</source>
        <translation>Wann verwenden</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Added for this assistant</source>
        <translation>Für diesen Assistenten ergänzt</translation>
    </message>
    <message>
        <source>{assistant} stops reading here, after {n} characters</source>
        <translation>{assistant} liest nur bis hier, {n} Zeichen</translation>
    </message>
    <message>
        <source>{assistant} reads only the start of a long description, so your notes come first.</source>
        <translation>{assistant} liest von einer langen Beschreibung nur den Anfang. Ihre Notizen stehen deshalb vorn.</translation>
    </message>
</context>
<context>
    <name>DragHandle</name>
    <message>
        <source>Drag to another place, or onto a toolset, a tool source or a tool in the library</source>
        <translation>An eine andere Stelle ziehen, oder auf einen Werkzeugsatz, eine Werkzeugquelle oder ein Werkzeug der Bibliothek</translation>
    </message>
</context>
<context>
    <name>EditServerDialog</name>
    <message>
        <source>Edit {0}</source>
        <translation>{0} bearbeiten</translation>
    </message>
    <message>
        <source>The tool source restarts if you change more than its name.</source>
        <translation>Die Werkzeugquelle startet neu, wenn Sie mehr als ihren Namen ändern.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Assistants and commands go on using “{id}”.</source>
        <translation>Assistenten und Befehle verwenden weiter „{id}“.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>Kopfzeilen</translation>
    </message>
    <message>
        <source>Name: value, one on each line</source>
        <translation>Name: Wert, je eine Zeile</translation>
    </message>
    <message>
        <source>Sign-in ID</source>
        <translation>Anmelde-ID</translation>
    </message>
    <message>
        <source>Only if you registered Toolnote there yourself (optional)</source>
        <translation>Nur falls Sie Toolnote dort selbst registriert haben (optional)</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>NAME=value, one on each line</source>
        <translation>NAME=Wert, je eine Zeile</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder to start in (optional)</source>
        <translation>Ordner, in dem sie startet (optional)</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen …</translation>
    </message>
    <message>
        <source>Browse for a folder</source>
        <translation>Ordner auswählen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Wird verbunden …</translation>
    </message>
    <message>
        <source>It works: {tools}.</source>
        <translation>Verbindung funktioniert: {tools}.</translation>
    </message>
    <message>
        <source>Folder to start in</source>
        <translation>Ordner, in dem sie startet</translation>
    </message>
    <message>
        <source>An address begins with http:// or https://.</source>
        <translation>Eine Adresse beginnt mit http:// oder https://.</translation>
    </message>
    <message>
        <source>Enter a command.</source>
        <translation>Geben Sie einen Befehl ein.</translation>
    </message>
    <message>
        <source>There is a tool source {0} already: choose another name.</source>
        <translation>Es gibt schon eine Werkzeugquelle {0}: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>{0}: “{1}” has no value.</source>
        <translation>{0}: „{1}“ hat keinen Wert.</translation>
    </message>
</context>
<context>
    <name>EffectsBox</name>
    <message>
        <source>Notes that helped</source>
        <translation>Notizen, die geholfen haben</translation>
    </message>
    <message>
        <source>Notes that helped, and that made it worse</source>
        <translation>Notizen, die geholfen oder geschadet haben</translation>
    </message>
    <message>
        <source>Notes that made it worse</source>
        <translation>Notizen, die geschadet haben</translation>
    </message>
    <message>
        <source>{tool} · worse</source>
        <translation>{tool} · schlechter</translation>
    </message>
    <message>
        <source>Failed before</source>
        <translation>Vorher fehlgeschlagen</translation>
    </message>
    <message>
        <source>Since your note</source>
        <translation>Seit Ihrer Notiz</translation>
    </message>
</context>
<context>
    <name>ExactData</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Exact data</source>
        <translation>Genaue Daten</translation>
    </message>
    <message>
        <source>{assistant} doesn’t get this tool.</source>
        <translation>{assistant} bekommt dieses Werkzeug nicht.</translation>
    </message>
    <message>
        <source>{assistant} searches for its tools: this one isn’t in its list. Exactly what it receives when the search finds this tool first. Marked text with a + is added by you.</source>
        <translation>{assistant} sucht Werkzeuge; dieses steht nicht in der Liste. Genau das kommt an, wenn die Suche dieses Werkzeug zuerst findet. Markierter Text mit + ist von Ihnen.</translation>
    </message>
    <message>
        <source>Exactly what {assistant} receives. Marked text with a + is added by you.</source>
        <translation>Genau das erhält {assistant}. Markierter Text mit + ist von Ihnen.</translation>
    </message>
    <message>
        <source>1 paragraph of its text is muted.</source>
        <translation>1 Absatz des Textes ist stummgeschaltet.</translation>
    </message>
    <message numerus="yes">
        <source>%n paragraphs of its text are muted.</source>
        <translation>
            <numerusform>%n Absatz des Textes ist stummgeschaltet.</numerusform>
            <numerusform>%n Absätze des Textes sind stummgeschaltet.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Share a toolset</source>
        <translation>Werkzeugsatz teilen</translation>
    </message>
    <message>
        <source>Its tools and your notes on them, as a file. The person who opens it sees all of it first.</source>
        <translation>Seine Werkzeuge und Ihre Notizen dazu, als Datei. Wer sie öffnet, sieht zuerst alles davon.</translation>
    </message>
    <message>
        <source>Toolset</source>
        <translation>Werkzeugsatz</translation>
    </message>
    <message>
        <source>As a pack: others see which tools have changed since you wrote your notes</source>
        <translation>Als Paket: Andere sehen, welche Werkzeuge sich geändert haben, seit Sie Ihre Notizen geschrieben haben</translation>
    </message>
    <message>
        <source>What is in the file</source>
        <translation>Was in der Datei ist</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Save as a file…</source>
        <translation>Als Datei speichern …</translation>
    </message>
    <message>
        <source>Saved as {0}</source>
        <translation>Gespeichert als {0}</translation>
    </message>
    <message>
        <source>Your secrets stay here. The person who opens the file enters these values: {0}</source>
        <translation>Ihre Geheimnisse bleiben hier. Wer die Datei öffnet, gibt diese Werte ein: {0}</translation>
    </message>
    <message>
        <source>The file has no secrets.</source>
        <translation>Die Datei enthält keine Geheimnisse.</translation>
    </message>
    <message>
        <source>With its tool sources, without their secrets: {0}</source>
        <translation>Mit seinen Werkzeugquellen, ohne deren Geheimnisse: {0}</translation>
    </message>
    <message>
        <source>Save the toolset</source>
        <translation>Werkzeugsatz speichern</translation>
    </message>
    <message>
        <source>Toolnote toolsets ({0})</source>
        <translation>Toolnote-Werkzeugsätze ({0})</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>FilePage</name>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Nothing is added yet. A tool source runs a program on this computer or sends what you do to an address, and your assistants read these notes. Check them first. Tool sources are added turned off.</source>
        <translation>Noch ist nichts hinzugefügt. Eine Werkzeugquelle startet ein Programm auf diesem Computer oder sendet, was Sie tun, an eine Adresse, und Ihre Assistenten lesen diese Notizen. Prüfen Sie sie zuerst. Werkzeugquellen werden ausgeschaltet hinzugefügt.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Skip this version</source>
        <translation>Diese Version überspringen</translation>
    </message>
    <message>
        <source>Add tools from a link</source>
        <translation>Werkzeuge aus einem Link hinzufügen</translation>
    </message>
    <message>
        <source>Add tools from {0}</source>
        <translation>Werkzeuge aus {0} hinzufügen</translation>
    </message>
</context>
<context>
    <name>FirstRunPage</name>
    <message>
        <source>First run</source>
        <translation>Erster Start</translation>
    </message>
    <message>
        <source>Tell your assistants how to use their tools</source>
        <translation>Sagen Sie Ihren Assistenten, wie sie ihre Werkzeuge verwenden</translation>
    </message>
    <message>
        <source>You write notes on tools, and every assistant you connect reads them. Nothing leaves this computer that didn’t leave it before.</source>
        <translation>Sie schreiben Notizen zu Werkzeugen, und jeder verbundene Assistent liest sie. Nichts verlässt diesen Computer, was ihn nicht vorher schon verlassen hat.</translation>
    </message>
    <message>
        <source>Searching this computer…</source>
        <translation>Dieser Computer wird durchsucht …</translation>
    </message>
    <message>
        <source>Connect these assistants</source>
        <translation>Diese Assistenten verbinden</translation>
    </message>
    <message>
        <source>Bring in these tool sources</source>
        <translation>Diese Werkzeugquellen übernehmen</translation>
    </message>
    <message>
        <source>Turn off the assistants’ own copies of these</source>
        <translation>Eigene Kopien der Assistenten ausschalten</translation>
    </message>
    <message>
        <source>So that each tool appears only once. They are turned back on when you disconnect.</source>
        <translation>Damit jedes Werkzeug nur einmal erscheint. Beim Trennen werden sie wieder eingeschaltet.</translation>
    </message>
    <message>
        <source>Show what changes in their settings files</source>
        <translation>Zeigen, was sich in ihren Einstellungsdateien ändert</translation>
    </message>
    <message>
        <source>No assistants or tools found on this computer yet</source>
        <translation>Auf diesem Computer wurden noch keine Assistenten oder Werkzeuge gefunden</translation>
    </message>
    <message>
        <source>Two small tool sources with notes, ready to play with. Remove them any time.</source>
        <translation>Zwei kleine Werkzeugquellen mit Notizen zum Ausprobieren. Sie können sie jederzeit entfernen.</translation>
    </message>
    <message>
        <source>Linear, GitHub, Notion, your own files and many more.</source>
        <translation>Linear, GitHub, Notion, Ihre eigenen Dateien und viele mehr.</translation>
    </message>
    <message>
        <source>{names} and {n} more. Install one first if you have none.</source>
        <translation>{names} und {n} weitere. Installieren Sie zuerst einen, wenn Sie noch keinen haben.</translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation>Demo ausprobieren</translation>
    </message>
    <message>
        <source>Browse the catalog</source>
        <translation>Katalog durchsuchen</translation>
    </message>
    <message>
        <source>Connect an assistant…</source>
        <translation>Assistenten verbinden …</translation>
    </message>
    <message>
        <source>Add tools manually…</source>
        <translation>Werkzeuge von Hand hinzufügen …</translation>
    </message>
    <message>
        <source>Search this computer again</source>
        <translation>Diesen Computer erneut durchsuchen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Toolset</source>
        <translation>Werkzeugsatz</translation>
    </message>
    <message>
        <source>From {0}</source>
        <translation>Aus {0}</translation>
    </message>
    <message>
        <source>Already added</source>
        <translation>Schon hinzugefügt</translation>
    </message>
    <message>
        <source>Its key moves to the keychain.</source>
        <translation>Der Schlüssel kommt in den Schlüsselbund.</translation>
    </message>
    <message>
        <source>Toolnote keeps its key.</source>
        <translation>Toolnote bewahrt den Schlüssel auf.</translation>
    </message>
    <message>
        <source>Asks you to sign in again.</source>
        <translation>Bittet Sie, sich neu anzumelden.</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>Eingerichtet</translation>
    </message>
    <message>
        <source>Has none of them</source>
        <translation>Hat keine davon</translation>
    </message>
    <message numerus="yes">
        <source>Has %n of these tool sources</source>
        <translation>
            <numerusform>Hat %n dieser Werkzeugquellen</numerusform>
            <numerusform>Hat %n dieser Werkzeugquellen</numerusform>
        </translation>
    </message>
    <message>
        <source>Connect 1 assistant</source>
        <translation>1 Assistenten verbinden</translation>
    </message>
    <message numerus="yes">
        <source>Connect %n assistants</source>
        <translation>
            <numerusform>%n Assistenten verbinden</numerusform>
            <numerusform>%n Assistenten verbinden</numerusform>
        </translation>
    </message>
    <message>
        <source>Add 1 tool source</source>
        <translation>1 Werkzeugquelle hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>Add %n tool sources</source>
        <translation>
            <numerusform>%n Werkzeugquelle hinzufügen</numerusform>
            <numerusform>%n Werkzeugquellen hinzufügen</numerusform>
        </translation>
    </message>
    <message>
        <source>What changes in {0}</source>
        <translation>Was sich in {0} ändert</translation>
    </message>
    <message>
        <source>Adding…</source>
        <translation>Wird hinzugefügt …</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Added {tools}</source>
        <translation>{tools} hinzugefügt</translation>
    </message>
</context>
<context>
    <name>ForbiddenTools</name>
    <message>
        <source>Tools that must not be called</source>
        <translation>Werkzeuge, die nicht aufgerufen werden dürfen</translation>
    </message>
    <message>
        <source>Must not call: {0}</source>
        <translation>Darf nicht aufrufen: {0}</translation>
    </message>
    <message>
        <source>Must not call: nothing chosen</source>
        <translation>Darf nicht aufrufen: nichts gewählt</translation>
    </message>
</context>
<context>
    <name>FullTextLabel</name>
    <message>
        <source>Show all</source>
        <translation>Alles anzeigen</translation>
    </message>
</context>
<context>
    <name>GuidanceRows</name>
    <message>
        <source>What it may do</source>
        <translation>Was er darf</translation>
    </message>
    <message>
        <source>Write notes</source>
        <translation>Notizen schreiben</translation>
    </message>
    <message>
        <source>Change its toolset</source>
        <translation>Seinen Werkzeugsatz wechseln</translation>
    </message>
    <message>
        <source>You can keep or undo each one.</source>
        <translation>Sie können jede behalten oder zurücknehmen.</translation>
    </message>
    <message>
        <source>Finding tools</source>
        <translation>Werkzeuge finden</translation>
    </message>
    <message>
        <source>Limits and names</source>
        <translation>Grenzen und Namen</translation>
    </message>
    <message>
        <source>Simplify parameters</source>
        <translation>Parameter vereinfachen</translation>
    </message>
    <message>
        <source>Use the older protocol</source>
        <translation>Älteres Protokoll verwenden</translation>
    </message>
    <message>
        <source>For assistants built with pydantic-ai or FastMCP: they hear of your changes only there.</source>
        <translation>Für Assistenten, die pydantic-ai oder FastMCP verwenden: Nur dort erfahren sie von Ihren Änderungen.</translation>
    </message>
    <message>
        <source>Sentences for this family</source>
        <translation>Sätze für diese Familie</translation>
    </message>
    <message>
        <source>One a line. Added to instructions.</source>
        <translation>Einer je Zeile. Steht in den Anweisungen.</translation>
    </message>
    <message>
        <source>Your preferences</source>
        <translation>Ihre Vorlieben</translation>
    </message>
    <message>
        <source>Language, guides, and tools to prefer</source>
        <translation>Sprache, Anleitungen und bevorzugte Werkzeuge</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>As it reports ({0})</source>
        <translation>Wie er angibt ({0})</translation>
    </message>
    <message>
        <source>How much {0} reads, how it names tools, and which parameters it accepts.</source>
        <translation>Wie viel {0} liest, wie er Werkzeuge nennt und welche Parameter er annimmt.</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Festgelegt</translation>
    </message>
    <message>
        <source>For all assistants of this family: {0}.</source>
        <translation>Für alle Assistenten dieser Familie: {0}.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Whole list</source>
        <translation>Ganze Liste</translation>
    </message>
    <message>
        <source>By searching</source>
        <translation>Durch Suchen</translation>
    </message>
    <message>
        <source>Whole list, until you choose</source>
        <translation>Ganze Liste, bis Sie wählen</translation>
    </message>
    <message>
        <source>All assistants search for their tools: that is set in Settings.</source>
        <translation>Alle Assistenten suchen nach ihren Werkzeugen: So ist es in den Einstellungen festgelegt.</translation>
    </message>
    <message>
        <source>{0} searches for tools. Always listed ones and those that ask first are in its list.</source>
        <translation>{0} sucht nach Werkzeugen. In der Liste stehen nur immer gelistete und solche, die zuerst fragen.</translation>
    </message>
    <message>
        <source>All tools are in its list.</source>
        <translation>Alle Werkzeuge stehen in der Liste.</translation>
    </message>
    <message>
        <source>Show the instructions that {0} gets</source>
        <translation>Anweisungen zeigen, die {0} bekommt</translation>
    </message>
    <message>
        <source>Instructions for {0}</source>
        <translation>Anweisungen für {0}</translation>
    </message>
    <message>
        <source>{0} reads {1} characters of them. What it doesn’t read is struck through.</source>
        <translation>{0} liest davon {1} Zeichen. Was er nicht liest, ist durchgestrichen.</translation>
    </message>
    <message>
        <source>1 tool is simplified.</source>
        <translation>1 Werkzeug ist vereinfacht.</translation>
    </message>
    <message numerus="yes">
        <source>%n tools are simplified.</source>
        <translation>
            <numerusform>%n Werkzeug ist vereinfacht.</numerusform>
            <numerusform>%n Werkzeuge sind vereinfacht.</numerusform>
        </translation>
    </message>
    <message>
        <source>{0} may refuse the parameters of 1 tool.</source>
        <translation>{0} lehnt die Parameter von 1 Werkzeug vielleicht ab.</translation>
    </message>
    <message numerus="yes">
        <source>{0} may refuse the parameters of %n tools.</source>
        <translation>
            <numerusform>{0} lehnt die Parameter von %n Werkzeug vielleicht ab.</numerusform>
            <numerusform>{0} lehnt die Parameter von %n Werkzeugen vielleicht ab.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GuideView</name>
    <message>
        <source>Your request</source>
        <translation>Ihr Auftrag</translation>
    </message>
    <message>
        <source>Find out why the last build failed</source>
        <translation>Finde heraus, warum der letzte Build fehlschlug</translation>
    </message>
    <message>
        <source>Short</source>
        <translation>Kurz</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Vollständig</translation>
    </message>
    <message>
        <source>Copy guide</source>
        <translation>Anleitung kopieren</translation>
    </message>
    <message>
        <source>Connected assistants can get this guide themselves. For others, copy it into the conversation or into their instructions.</source>
        <translation>Verbundene Assistenten können diese Anleitung selbst abrufen. Für andere kopieren Sie sie in die Unterhaltung oder in deren Anweisungen.</translation>
    </message>
    <message>
        <source>Task type</source>
        <translation>Aufgabentyp</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Any assistant</source>
        <translation>Beliebiger Assistent</translation>
    </message>
    <message>
        <source>Any task</source>
        <translation>Jede Aufgabe</translation>
    </message>
    <message numerus="yes">
        <source>%n left out as not relevant</source>
        <translation>
            <numerusform>%n nicht relevantes ausgelassen</numerusform>
            <numerusform>%n nicht relevante ausgelassen</numerusform>
        </translation>
    </message>
    <message>
        <source>Tool guide</source>
        <translation>Werkzeuganleitung</translation>
    </message>
    <message>
        <source>About {tokens} tokens, {tools}</source>
        <translation>Etwa {tokens} Token, {tools}</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>GuidelinesForm</name>
    <message>
        <source>What it’s for</source>
        <translation>Wofür er da ist</translation>
    </message>
    <message>
        <source>Issues and releases of our team</source>
        <translation>Tickets und Releases unseres Teams</translation>
    </message>
    <message>
        <source>Look before you write. Say which tool you used. Never guess an id.</source>
        <translation>Sieh nach, bevor du schreibst. Sage, welches Werkzeug du verwendet hast. Rate nie eine Kennung.</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>New task type</source>
        <translation>Neuer Aufgabentyp</translation>
    </message>
    <message>
        <source>New task type, such as Release</source>
        <translation>Neuer Aufgabentyp, zum Beispiel Veröffentlichen</translation>
    </message>
    <message>
        <source>Add this task type</source>
        <translation>Diesen Aufgabentyp hinzufügen</translation>
    </message>
    <message>
        <source>Some assistants see only this, after the names of the tool sources, until they need a tool.</source>
        <translation>Manche Assistenten sehen nur das, nach den Namen der Werkzeugquellen, bis sie ein Werkzeug brauchen.</translation>
    </message>
    <message>
        <source>Every assistant with this toolset reads this first. The guide repeats it.</source>
        <translation>Jeder Assistent mit diesem Werkzeugsatz liest das zuerst. Die Anleitung wiederholt es.</translation>
    </message>
    <message>
        <source>Task types</source>
        <translation>Aufgabentypen</translation>
    </message>
    <message>
        <source>Assistants that name a task get a guide with only the relevant tools.</source>
        <translation>Assistenten, die eine Aufgabe nennen, erhalten eine Anleitung nur mit den relevanten Werkzeugen.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
</context>
<context>
    <name>HomePage</name>
    <message>
        <source>Home</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Needs you</source>
        <translation>Braucht Sie</translation>
    </message>
    <message>
        <source>Connect an assistant…</source>
        <translation>Assistenten verbinden …</translation>
    </message>
    <message>
        <source>Calls in the last 7 days</source>
        <translation>Aufrufe in 7 Tagen</translation>
    </message>
    <message>
        <source>All activity</source>
        <translation>Alle Aktivität</translation>
    </message>
    <message>
        <source>No calls yet. They appear here when an assistant uses a tool.</source>
        <translation>Noch keine Aufrufe. Sie erscheinen hier, sobald ein Assistent ein Werkzeug verwendet.</translation>
    </message>
    <message>
        <source>Assistants</source>
        <translation>Assistenten</translation>
    </message>
    <message>
        <source>Tell your assistants how to use their tools</source>
        <translation>Sagen Sie Ihren Assistenten, wie sie ihre Werkzeuge verwenden</translation>
    </message>
    <message>
        <source>You write notes on tools, and every assistant you connect reads them.</source>
        <translation>Sie schreiben Notizen zu Werkzeugen, und jeder Assistent, den Sie verbinden, liest sie.</translation>
    </message>
    <message>
        <source>No assistant reads your notes yet</source>
        <translation>Noch liest kein Assistent Ihre Notizen</translation>
    </message>
    <message>
        <source>You haven’t written a note yet</source>
        <translation>Sie haben noch keine Notiz geschrieben</translation>
    </message>
    <message>
        <source>1 assistant reads your {notes}</source>
        <translation>1 Assistent liest Ihre {notes}</translation>
    </message>
    <message numerus="yes">
        <source>%n assistants read your {notes}</source>
        <translation>
            <numerusform>%n Assistent liest Ihre {notes}</numerusform>
            <numerusform>%n Assistenten lesen Ihre {notes}</numerusform>
        </translation>
    </message>
    <message>
        <source>1 tool source</source>
        <translation>1 Werkzeugquelle</translation>
    </message>
    <message numerus="yes">
        <source>%n tool sources</source>
        <translation>
            <numerusform>%n Werkzeugquelle</numerusform>
            <numerusform>%n Werkzeugquellen</numerusform>
        </translation>
    </message>
    <message>
        <source>{tools} from {sources}</source>
        <translation>{tools} aus {sources}</translation>
    </message>
    <message>
        <source>Add tools…</source>
        <translation>Werkzeuge hinzufügen …</translation>
    </message>
    <message>
        <source>Write a note…</source>
        <translation>Notiz schreiben …</translation>
    </message>
    <message>
        <source>{state} · last call {when}</source>
        <translation>{state} · letzter Aufruf {when}</translation>
    </message>
</context>
<context>
    <name>ImportPanel</name>
    <message>
        <source>These toolsets may try to mislead assistants. Read these texts:</source>
        <translation>Diese Toolsets wollen Assistenten vielleicht täuschen. Lesen Sie diese Texte:</translation>
    </message>
    <message>
        <source>Add their tools to</source>
        <translation>Werkzeuge hinzufügen zu</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Toolsets</source>
        <translation>Werkzeugsätze</translation>
    </message>
    <message>
        <source>Tool sources</source>
        <translation>Werkzeugquellen</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Searching this computer…</source>
        <translation>Dieser Computer wird durchsucht …</translation>
    </message>
    <message>
        <source>Reading {0}…</source>
        <translation>{0} wird gelesen …</translation>
    </message>
    <message>
        <source>Canceled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Nothing to add here.</source>
        <translation>Hier gibt es nichts hinzuzufügen.</translation>
    </message>
    <message>
        <source>Checking toolsets</source>
        <translation>Toolsets werden geprüft</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Add %n</source>
        <translation>
            <numerusform>%n hinzufügen</numerusform>
            <numerusform>%n hinzufügen</numerusform>
        </translation>
    </message>
    <message>
        <source>Importing tools</source>
        <translation>Tools werden importiert</translation>
    </message>
</context>
<context>
    <name>LibraryMenu</name>
    <message>
        <source>Note from a template…</source>
        <translation>Notiz aus einer Vorlage …</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Turn off</source>
        <translation>Ausschalten</translation>
    </message>
    <message>
        <source>Remove from this toolset</source>
        <translation>Aus diesem Werkzeugsatz entfernen</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>New category…</source>
        <translation>Neue Kategorie …</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>New category</source>
        <translation>Neue Kategorie</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Setzen</translation>
    </message>
    <message>
        <source>Add to toolset</source>
        <translation>In Werkzeugsatz aufnehmen</translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation>Neuer Werkzeugsatz</translation>
    </message>
    <message>
        <source>Share…</source>
        <translation>Teilen …</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>The guide lists tools of one category together.</source>
        <translation>Die Anleitung führt Werkzeuge einer Kategorie zusammen auf.</translation>
    </message>
    <message>
        <source>Use by default</source>
        <translation>Als Standard verwenden</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten …</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Verdoppeln</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>LinePrompt</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>ListOffers</name>
    <message>
        <source>They are turned off in this toolset alone. You can undo it.</source>
        <translation>Sie werden nur in diesem Werkzeugsatz ausgeschaltet. Sie können das rückgängig machen.</translation>
    </message>
</context>
<context>
    <name>LostNotesPage</name>
    <message>
        <source>Notes without a tool</source>
        <translation>Notizen ohne Werkzeug</translation>
    </message>
    <message>
        <source>They are kept and come back with their tool, or move them to another.</source>
        <translation>Sie bleiben erhalten und kommen mit ihrem Werkzeug zurück, oder Sie verschieben sie zu einem anderen.</translation>
    </message>
    <message>
        <source>every toolset</source>
        <translation>jeder Werkzeugsatz</translation>
    </message>
    <message>
        <source>a tool without a name</source>
        <translation>ein Werkzeug ohne Namen</translation>
    </message>
    <message>
        <source>on {tool}, in {toolset}</source>
        <translation>zu {tool}, in {toolset}</translation>
    </message>
    <message>
        <source>{tool} of {source}</source>
        <translation>{tool} von {source}</translation>
    </message>
    <message>
        <source>Move to {tool}: {why}</source>
        <translation>Zu {tool} verschieben: {why}</translation>
    </message>
    <message>
        <source>Another tool…</source>
        <translation>Ein anderes Werkzeug …</translation>
    </message>
    <message>
        <source>Copy the text of the note {name}</source>
        <translation>Text der Notiz {name} kopieren</translation>
    </message>
    <message>
        <source>Delete the note {name}</source>
        <translation>Die Notiz {name} löschen</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>Text kopieren</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>No similar tool found. Choose one:</source>
        <translation>Kein ähnliches Werkzeug gefunden. Wählen Sie eines:</translation>
    </message>
    <message>
        <source>It may belong to one of these tools:</source>
        <translation>Sie gehört vielleicht zu einem dieser Werkzeuge:</translation>
    </message>
    <message>
        <source>They may belong to one of these tools:</source>
        <translation>Sie gehören vielleicht zu einem dieser Werkzeuge:</translation>
    </message>
    <message>
        <source>same name</source>
        <translation>gleicher Name</translation>
    </message>
    <message>
        <source>similar name</source>
        <translation>ähnlicher Name</translation>
    </message>
    <message>
        <source>similar parameters</source>
        <translation>ähnliche Parameter</translation>
    </message>
    <message>
        <source>Move {notes}</source>
        <translation>{notes} verschieben</translation>
    </message>
    <message>
        <source>Move here</source>
        <translation>Hierher verschieben</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>1 needs you</source>
        <translation>1 braucht Sie</translation>
    </message>
    <message numerus="yes">
        <source>%n need you</source>
        <translation>
            <numerusform>%n braucht Sie</numerusform>
            <numerusform>%n brauchen Sie</numerusform>
        </translation>
    </message>
    <message>
        <source>Toolnote turned off</source>
        <translation>Toolnote ausgeschaltet</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Toolnote is in safe mode</source>
        <translation>Toolnote läuft im abgesicherten Modus</translation>
    </message>
    <message>
        <source>No tool source runs, and assistants get no tools until Toolnote starts normally.</source>
        <translation>Keine Werkzeugquelle läuft, und Assistenten bekommen keine Werkzeuge, bis Toolnote normal startet.</translation>
    </message>
    <message>
        <source>Start normally</source>
        <translation>Normal starten</translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation>Neuer Werkzeugsatz</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Note “{name}” added</source>
        <translation>Notiz „{name}“ hinzugefügt</translation>
    </message>
    <message>
        <source>{assistant}: {what}</source>
        <translation>{assistant}: {what}</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Delete this note</source>
        <translation>Diese Notiz löschen</translation>
    </message>
    <message>
        <source>Remove {source}…</source>
        <translation>{source} entfernen …</translation>
    </message>
    <message>
        <source>Disconnect {assistant}…</source>
        <translation>{assistant} trennen …</translation>
    </message>
</context>
<context>
    <name>ManualSetup</name>
    <message>
        <source>Advanced: any other assistant that can use MCP servers</source>
        <translation>Erweitert: jeder andere Assistent, der MCP-Server nutzen kann</translation>
    </message>
    <message>
        <source>Copy this into its settings where it lists MCP servers. The name tells you here who it is.</source>
        <translation>Kopieren Sie dies in seine Einstellungen, wo er MCP-Server aufführt. Der Name sagt Ihnen hier, wer es ist.</translation>
    </message>
    <message>
        <source>JSON: it starts Toolnote’s own program</source>
        <translation>JSON: startet Toolnotes eigenes Programm</translation>
    </message>
    <message>
        <source>TOML: it starts Toolnote’s own program</source>
        <translation>TOML: startet Toolnotes eigenes Programm</translation>
    </message>
    <message>
        <source>JSON: an address, and a token of its own</source>
        <translation>JSON: eine Adresse und ein eigener Schlüssel</translation>
    </message>
    <message>
        <source>Its name</source>
        <translation>Sein Name</translation>
    </message>
    <message>
        <source>How it connects</source>
        <translation>Wie er sich verbindet</translation>
    </message>
    <message>
        <source>What to copy</source>
        <translation>Was zu kopieren ist</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Make its token</source>
        <translation>Seinen Schlüssel machen</translation>
    </message>
    <message>
        <source>The token is shown only now. Anyone who has it can use your tools.</source>
        <translation>Der Schlüssel wird nur jetzt gezeigt. Wer ihn hat, kann Ihre Werkzeuge verwenden.</translation>
    </message>
    <message>
        <source>There is an assistant of this name. With a new token its old one ends.</source>
        <translation>Es gibt einen Assistenten dieses Namens. Mit einem neuen Schlüssel endet sein alter.</translation>
    </message>
    <message>
        <source>It needs a token of its own, which you can revoke.</source>
        <translation>Er braucht ein eigenes Token, das Sie widerrufen können.</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>MissingToolPage</name>
    <message>
        <source>Tool not found</source>
        <translation>Werkzeug nicht gefunden</translation>
    </message>
    <message>
        <source>Tool not found  ·  in {toolset}</source>
        <translation>Werkzeug nicht gefunden  ·  in {toolset}</translation>
    </message>
    <message>
        <source>No tool source offers this tool now. It comes back with your notes when one does.</source>
        <translation>Zurzeit bietet keine Werkzeugquelle dieses Werkzeug an. Es kommt mit Ihren Notizen zurück, sobald eine das tut.</translation>
    </message>
    <message>
        <source>Several tool sources have a tool with this name. Remove this one and add the one you mean.</source>
        <translation>Mehrere Werkzeugquellen haben ein Werkzeug dieses Namens. Entfernen Sie dieses und fügen Sie das gemeinte hinzu.</translation>
    </message>
    <message>
        <source>Remove from {toolset}</source>
        <translation>Aus {toolset} entfernen</translation>
    </message>
</context>
<context>
    <name>MoreSettings</name>
    <message>
        <source>More settings</source>
        <translation>Weitere Einstellungen</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Take search terms from the user’s own words.</source>
        <translation>Nimm Suchwörter aus den eigenen Worten des Benutzers.</translation>
    </message>
    <message>
        <source>Name for assistants</source>
        <translation>Name für Assistenten</translation>
    </message>
    <message>
        <source>In the guide</source>
        <translation>In der Anleitung</translation>
    </message>
    <message>
        <source>In every toolset</source>
        <translation>In jedem Werkzeugsatz</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Everyone on the team gets an email.</source>
        <translation>Alle im Team bekommen eine E-Mail.</translation>
    </message>
    <message>
        <source>Reason for the word</source>
        <translation>Grund für das Wort</translation>
    </message>
    <message>
        <source>Confirmation word</source>
        <translation>Bestätigungswort</translation>
    </message>
    <message>
        <source>Audience</source>
        <translation>Zielgruppe</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>0 to 1, usually {value}</source>
        <translation>0 bis 1, meist {value}</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>The assistant must have been told it by you, and passes it with the call. Empty: not needed.</source>
        <translation>Sie müssen es dem Assistenten gesagt haben; er gibt es beim Aufruf mit. Leer: nicht nötig.</translation>
    </message>
    <message>
        <source>The assistant can show you this reason.</source>
        <translation>Der Assistent kann Ihnen diesen Grund nennen.</translation>
    </message>
    <message>
        <source>Letters, digits, _ and -. Long names are shortened.</source>
        <translation>Buchstaben, Ziffern, _ und -. Lange Namen werden gekürzt.</translation>
    </message>
    <message>
        <source>In guides for a task, or only in those where the tool is relevant.</source>
        <translation>In Anleitungen für eine Aufgabe oder nur dort, wo das Werkzeug wichtig ist.</translation>
    </message>
    <message>
        <source>In Claude Code only</source>
        <translation>Nur in Claude Code</translation>
    </message>
    <message>
        <source>Ask in Claude Code too</source>
        <translation>Auch in Claude Code fragen</translation>
    </message>
    <message>
        <source>Longest result, in characters</source>
        <translation>Längstes Ergebnis, in Zeichen</translation>
    </message>
    <message>
        <source>How to go about it, in a sentence or two. Shown before your notes.</source>
        <translation>Wie vorzugehen ist, in ein oder zwei Sätzen. Steht vor Ihren Notizen.</translation>
    </message>
    <message>
        <source>What is for you alone is offered to no assistant.</source>
        <translation>Was nur für Sie ist, wird keinem Assistenten angeboten.</translation>
    </message>
    <message>
        <source>Always in the list</source>
        <translation>Immer in der Liste</translation>
    </message>
    <message>
        <source>In the list of assistants that search for their tools, too; Claude Code loads it at once.</source>
        <translation>Auch in der Liste von Assistenten, die nach Werkzeugen suchen; Claude Code lädt es sofort.</translation>
    </message>
    <message>
        <source>The assistant</source>
        <translation>Der Assistent</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Not set</source>
        <translation>Nicht festgelegt</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beide</translation>
    </message>
    <message>
        <source>By the task</source>
        <translation>Je nach Aufgabe</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Only where it is relevant</source>
        <translation>Nur wo es wichtig ist</translation>
    </message>
    <message>
        <source>These examples can’t be used: {reason}.</source>
        <translation>Diese Beispiele lassen sich nicht verwenden: {reason}.</translation>
    </message>
</context>
<context>
    <name>NextSteps</name>
    <message>
        <source>What to do now</source>
        <translation>Was jetzt zu tun ist</translation>
    </message>
    <message>
        <source>Then your assistants have your tools, with your notes on them.</source>
        <translation>Dann haben Ihre Assistenten Ihre Werkzeuge, mit Ihren Notizen dazu.</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>✓ Running</source>
        <translation>✓ Läuft</translation>
    </message>
</context>
<context>
    <name>NoteCard</name>
    <message>
        <source>Where it applies</source>
        <translation>Wo die Notiz gilt</translation>
    </message>
    <message>
        <source>Actions for this note</source>
        <translation>Aktionen für diese Notiz</translation>
    </message>
    <message>
        <source>What should the assistant know before it uses this tool?</source>
        <translation>Was sollte der Assistent wissen, bevor er dieses Werkzeug verwendet?</translation>
    </message>
    <message>
        <source>New note</source>
        <translation>Neue Notiz</translation>
    </message>
    <message>
        <source>Name of the note: {name}</source>
        <translation>Name der Notiz: {name}</translation>
    </message>
    <message>
        <source>New name of the note {name}</source>
        <translation>Neuer Name der Notiz {name}</translation>
    </message>
    <message>
        <source>Text of the note {name}</source>
        <translation>Text der Notiz {name}</translation>
    </message>
    <message>
        <source>Actions for the note {name}</source>
        <translation>Aktionen für die Notiz {name}</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>you</source>
        <translation>Ihnen</translation>
    </message>
    <message>
        <source>Note {name} by {author}, {scope}</source>
        <translation>Notiz {name} von {author}, {scope}</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>About {tokens} tokens, more than the {most} that you allow</source>
        <translation>Etwa {tokens} Token, mehr als die {most}, die Sie zulassen</translation>
    </message>
    <message>
        <source>About {tokens} of {most} tokens</source>
        <translation>Etwa {tokens} von {most} Token</translation>
    </message>
    <message>
        <source>Too long to save: {count} of {most} characters</source>
        <translation>Zu lang zum Speichern: {count} von {most} Zeichen</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>Nicht gespeichert</translation>
    </message>
    <message>
        <source>Empty: deleted when you leave it</source>
        <translation>Leer: wird beim Verlassen gelöscht</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gespeichert …</translation>
    </message>
    <message>
        <source>{count} of {most} characters</source>
        <translation>{count} von {most} Zeichen</translation>
    </message>
</context>
<context>
    <name>NoteEditor</name>
    <message>
        <source>Name of the note</source>
        <translation>Name der Notiz</translation>
    </message>
    <message>
        <source>Text of the new note</source>
        <translation>Text der neuen Notiz</translation>
    </message>
    <message>
        <source>What should the assistant know before it uses this tool?</source>
        <translation>Was sollte der Assistent wissen, bevor er dieses Werkzeug verwendet?</translation>
    </message>
    <message>
        <source>Where it applies</source>
        <translation>Wo die Notiz gilt</translation>
    </message>
    <message>
        <source>Add note</source>
        <translation>Notiz hinzufügen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Every toolset</source>
        <translation>Alle Werkzeugsätze</translation>
    </message>
    <message>
        <source>{toolset} only</source>
        <translation>Nur {toolset}</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>The note is too long.</source>
        <translation>Die Notiz ist zu lang.</translation>
    </message>
</context>
<context>
    <name>NoteMenu</name>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Turn off (hidden from assistants)</source>
        <translation>Ausschalten (für Assistenten verborgen)</translation>
    </message>
    <message>
        <source>Copy to</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Move to</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Save as a template…</source>
        <translation>Als Vorlage speichern …</translation>
    </message>
    <message>
        <source>Toolset {toolset}</source>
        <translation>Werkzeugsatz {toolset}</translation>
    </message>
    <message>
        <source>All {source} tools</source>
        <translation>Alle Werkzeuge von {source}</translation>
    </message>
    <message>
        <source>Use in every toolset</source>
        <translation>In jedem Werkzeugsatz verwenden</translation>
    </message>
    <message>
        <source>Use for all {source} tools</source>
        <translation>Für alle Werkzeuge von {source} verwenden</translation>
    </message>
    <message>
        <source>Use for every tool</source>
        <translation>Für jedes Werkzeug verwenden</translation>
    </message>
    <message>
        <source>Use in {toolset} only</source>
        <translation>Nur in {toolset} verwenden</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Another tool…</source>
        <translation>Ein anderes Werkzeug …</translation>
    </message>
    <message>
        <source>Copy “{note}”</source>
        <translation>„{note}“ kopieren</translation>
    </message>
    <message>
        <source>Move “{note}”</source>
        <translation>„{note}“ verschieben</translation>
    </message>
</context>
<context>
    <name>NotesFile</name>
    <message>
        <source>Only notes are read from the file. Existing notes are kept.</source>
        <translation>Aus der Datei werden nur Notizen gelesen. Vorhandene Notizen bleiben erhalten.</translation>
    </message>
    <message>
        <source>Notes for “{toolset}”</source>
        <translation>Notizen für „{toolset}“</translation>
    </message>
    <message>
        <source>Export notes…</source>
        <translation>Notizen exportieren …</translation>
    </message>
    <message>
        <source>Import notes…</source>
        <translation>Notizen importieren …</translation>
    </message>
    <message>
        <source>Notes in a file</source>
        <translation>Notizen in einer Datei</translation>
    </message>
    <message>
        <source>Export notes</source>
        <translation>Notizen exportieren</translation>
    </message>
    <message>
        <source>Notes saved in {file}.</source>
        <translation>Notizen in {file} gespeichert.</translation>
    </message>
    <message>
        <source>Import notes</source>
        <translation>Notizen importieren</translation>
    </message>
    <message>
        <source>the file is too large</source>
        <translation>die Datei ist zu groß</translation>
    </message>
    <message>
        <source>it has no notes</source>
        <translation>sie enthält keine Notizen</translation>
    </message>
    <message>
        <source>The file has no new notes.</source>
        <translation>Die Datei enthält keine neuen Notizen.</translation>
    </message>
    <message>
        <source>Add notes</source>
        <translation>Notizen hinzufügen</translation>
    </message>
    <message>
        <source>Added: {notes}.</source>
        <translation>Hinzugefügt: {notes}.</translation>
    </message>
    <message>
        <source>New: {notes}.</source>
        <translation>Neu: {notes}.</translation>
    </message>
    <message>
        <source>Already here: {notes}.</source>
        <translation>Schon hier: {notes}.</translation>
    </message>
</context>
<context>
    <name>NotesList</name>
    <message>
        <source>What should the assistant know before it uses this tool?</source>
        <translation>Was soll der Assistent wissen, bevor er dieses Werkzeug verwendet?</translation>
    </message>
    <message>
        <source>+  Add a note</source>
        <translation>+  Notiz hinzufügen</translation>
    </message>
    <message>
        <source>Add a note</source>
        <translation>Notiz hinzufügen</translation>
    </message>
    <message>
        <source>Use it when…</source>
        <translation>Verwende es, wenn …</translation>
    </message>
    <message>
        <source>Never…</source>
        <translation>Nie …</translation>
    </message>
    <message>
        <source>For example…</source>
        <translation>Zum Beispiel …</translation>
    </message>
    <message>
        <source>Every tool</source>
        <translation>Alle Werkzeuge</translation>
    </message>
    <message>
        <source>All {source} tools</source>
        <translation>Alle Werkzeuge von {source}</translation>
    </message>
    <message>
        <source>Every toolset</source>
        <translation>Alle Werkzeugsätze</translation>
    </message>
    <message>
        <source>{toolset} only</source>
        <translation>Nur {toolset}</translation>
    </message>
    <message>
        <source>Changes all {n} {source} tools.</source>
        <translation>Betrifft alle {n} Werkzeuge von {source}.</translation>
    </message>
    <message>
        <source>Changes every tool.</source>
        <translation>Betrifft alle Werkzeuge.</translation>
    </message>
    <message>
        <source>Add a note that begins with {words}</source>
        <translation>Eine Notiz hinzufügen, die mit {words} beginnt</translation>
    </message>
</context>
<context>
    <name>OffersBox</name>
    <message>
        <source>A note would help here</source>
        <translation>Hier würde eine Notiz helfen</translation>
    </message>
    <message>
        <source>Add this note</source>
        <translation>Notiz übernehmen</translation>
    </message>
</context>
<context>
    <name>OwnWords</name>
    <message>
        <source>Not read by this assistant</source>
        <translation>Liest dieser Assistent nicht</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles anzeigen</translation>
    </message>
    <message>
        <source>Paragraphs that assistants read</source>
        <translation>Absätze, die Assistenten lesen</translation>
    </message>
    <message>
        <source>{source}’s own words</source>
        <translation>Text von {source}</translation>
    </message>
    <message>
        <source>From {source}, read-only</source>
        <translation>Von {source}, nicht änderbar</translation>
    </message>
    <message>
        <source>Mute a paragraph…</source>
        <translation>Absatz stummschalten …</translation>
    </message>
    <message>
        <source>1 paragraph muted…</source>
        <translation>1 Absatz stummgeschaltet…</translation>
    </message>
    <message numerus="yes">
        <source>%n paragraphs muted…</source>
        <translation>
            <numerusform>%n Absatz stummgeschaltet…</numerusform>
            <numerusform>%n Absätze stummgeschaltet…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PackOffers</name>
    <message>
        <source>New pack “{0}”</source>
        <translation>Neues Paket „{0}“</translation>
    </message>
    <message>
        <source>The pack “{0}” has changed</source>
        <translation>Das Paket „{0}“ hat sich geändert</translation>
    </message>
    <message>
        <source>It is in your packs folder. Nothing is applied before you have seen it.</source>
        <translation>Es liegt in Ihrem Paketordner. Nichts wird übernommen, bevor Sie es gesehen haben.</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
</context>
<context>
    <name>PackPanel</name>
    <message>
        <source>How to import it</source>
        <translation>So importieren</translation>
    </message>
    <message>
        <source>Put the notes of missing tools on the likely ones</source>
        <translation>Notizen fehlender Werkzeuge auf die wahrscheinlichen setzen</translation>
    </message>
    <message>
        <source>Its tools here</source>
        <translation>Seine Werkzeuge hier</translation>
    </message>
    <message>
        <source>Checking {pack}</source>
        <translation>{pack} wird geprüft</translation>
    </message>
    <message>
        <source>Merge into {0}</source>
        <translation>Mit {0} zusammenführen</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>Beide behalten</translation>
    </message>
    <message>
        <source>Replace {0} with the pack</source>
        <translation>{0} durch das Paket ersetzen</translation>
    </message>
    <message>
        <source>{0} of {1} match</source>
        <translation>{0} von {1} passen</translation>
    </message>
    <message>
        <source>{0}: missing, likely {1}</source>
        <translation>{0}: fehlt, wahrscheinlich {1}</translation>
    </message>
    <message>
        <source>{0}: missing. Its notes are kept until a tool source offers it.</source>
        <translation>{0}: fehlt. Seine Notizen bleiben, bis eine Werkzeugquelle es anbietet.</translation>
    </message>
    <message>
        <source>{0}: changed since.</source>
        <translation>{0}: seitdem geändert.</translation>
    </message>
    <message>
        <source>It no longer has {0}.</source>
        <translation>Es hat {0} nicht mehr.</translation>
    </message>
    <message>
        <source>It has {0} now.</source>
        <translation>Es hat jetzt {0}.</translation>
    </message>
    <message>
        <source>Check these notes: {0}.</source>
        <translation>Prüfen Sie diese Notizen: {0}.</translation>
    </message>
    <message>
        <source>settings of tools</source>
        <translation>Einstellungen von Werkzeugen</translation>
    </message>
    <message>
        <source>guidelines</source>
        <translation>Leitlinien</translation>
    </message>
    <message>
        <source>kinds of work</source>
        <translation>Arten der Arbeit</translation>
    </message>
    <message>
        <source>prompts of the bench</source>
        <translation>Aufgaben des Prüfstands</translation>
    </message>
    <message>
        <source>With them: {0}.</source>
        <translation>Dazu: {0}.</translation>
    </message>
    <message>
        <source>This pack may try to mislead assistants. Read these texts:</source>
        <translation>Dieses Paket könnte Assistenten in die Irre führen. Lesen Sie diese Texte:</translation>
    </message>
    <message>
        <source>You have all of it already.</source>
        <translation>Sie haben schon alles davon.</translation>
    </message>
    <message>
        <source>New: {0}, {1}.</source>
        <translation>Neu: {0}, {1}.</translation>
    </message>
    <message>
        <source>Replaced: {0}.</source>
        <translation>Ersetzt: {0}.</translation>
    </message>
    <message>
        <source>Yours are kept: {0}.</source>
        <translation>Ihre bleiben: {0}.</translation>
    </message>
    <message>
        <source>Removed: {0}.</source>
        <translation>Entfernt: {0}.</translation>
    </message>
</context>
<context>
    <name>PageOffer</name>
    <message>
        <source>{0} can’t show it. It waits for your answer.</source>
        <translation>{0} kann sie nicht zeigen. Die Quelle wartet auf Ihre Antwort.</translation>
    </message>
    <message>
        <source>{0} asks you to open a web page</source>
        <translation>{0} möchte eine Webseite öffnen lassen</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Open it only if you know the address and expected to be asked.</source>
        <translation>Öffnen Sie sie nur, wenn Sie die Adresse kennen und die Frage erwartet haben.</translation>
    </message>
    <message>
        <source>Don’t open</source>
        <translation>Nicht öffnen</translation>
    </message>
    <message>
        <source>Open page</source>
        <translation>Seite öffnen</translation>
    </message>
</context>
<context>
    <name>PageOffers</name>
    <message>
        <source>{0} asks you to open a web page</source>
        <translation>{0} möchte eine Webseite öffnen lassen</translation>
    </message>
    <message>
        <source>{0} can’t show it. It waits for your answer.</source>
        <translation>{0} kann sie nicht zeigen. Die Quelle wartet auf Ihre Antwort.</translation>
    </message>
    <message>
        <source>Show address…</source>
        <translation>Adresse zeigen …</translation>
    </message>
    <message>
        <source>An assistant</source>
        <translation>Ein Assistent</translation>
    </message>
</context>
<context>
    <name>ParameterLine</name>
    <message>
        <source>No description</source>
        <translation>Keine Beschreibung</translation>
    </message>
    <message>
        <source>Add your words on {name}</source>
        <translation>Eigene Worte zu {name} hinzufügen</translation>
    </message>
    <message>
        <source>Press to add your words</source>
        <translation>Klicken, um eigene Worte hinzuzufügen</translation>
    </message>
    <message>
        <source>Your words on {name}</source>
        <translation>Ihre Worte zu {name}</translation>
    </message>
    <message>
        <source>Value of {name}</source>
        <translation>Wert von {name}</translation>
    </message>
    <message>
        <source>Default: {x}</source>
        <translation>Vorgabe: {x}</translation>
    </message>
    <message>
        <source>Default…</source>
        <translation>Vorgabe …</translation>
    </message>
    <message>
        <source>Always “{x}”</source>
        <translation>Immer „{x}“</translation>
    </message>
    <message>
        <source>Always…</source>
        <translation>Immer …</translation>
    </message>
    <message>
        <source>Assistant decides</source>
        <translation>Assistent entscheidet</translation>
    </message>
    <message>
        <source>Hidden from assistants</source>
        <translation>Vor Assistenten verborgen</translation>
    </message>
    <message>
        <source>Change the value…</source>
        <translation>Wert ändern …</translation>
    </message>
    <message>
        <source>The assistant may send</source>
        <translation>Der Assistent darf senden</translation>
    </message>
    <message>
        <source>Any value</source>
        <translation>Jeden Wert</translation>
    </message>
    <message>
        <source>Only some values…</source>
        <translation>Nur bestimmte Werte…</translation>
    </message>
    <message>
        <source>Only paths in a folder…</source>
        <translation>Nur Pfade in einem Ordner…</translation>
    </message>
    <message>
        <source>Only texts of a pattern…</source>
        <translation>Nur Texte nach einem Muster…</translation>
    </message>
    <message>
        <source>Only {values}</source>
        <translation>Nur {values}</translation>
    </message>
    <message>
        <source>Only in {folder}</source>
        <translation>Nur in {folder}</translation>
    </message>
    <message>
        <source>Only like {pattern}</source>
        <translation>Nur wie {pattern}</translation>
    </message>
    <message>
        <source>No value is allowed</source>
        <translation>Kein Wert ist erlaubt</translation>
    </message>
    <message>
        <source>Values, with commas</source>
        <translation>Werte, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Folder, as /home/me/work</source>
        <translation>Ordner, etwa /home/me/work</translation>
    </message>
    <message>
        <source>Pattern, as release-*</source>
        <translation>Muster, etwa release-*</translation>
    </message>
    <message>
        <source>This parameter takes no such value.</source>
        <translation>Dieser Parameter nimmt keinen solchen Wert.</translation>
    </message>
    <message>
        <source>This is no whole path.</source>
        <translation>Das ist kein vollständiger Pfad.</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Yes or no</source>
        <translation>Ja oder nein</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Anything</source>
        <translation>Beliebig</translation>
    </message>
    <message>
        <source>List of texts</source>
        <translation>Liste von Texten</translation>
    </message>
    <message>
        <source>List of groups</source>
        <translation>Liste von Gruppen</translation>
    </message>
    <message>
        <source>List</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Choice</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>{type}, required</source>
        <translation>{type}, nötig</translation>
    </message>
</context>
<context>
    <name>ParametersTable</name>
    <message>
        <source>Parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message numerus="yes">
        <source>Show %n nested parameters</source>
        <translation>
            <numerusform>%n untergeordneten Parameter anzeigen</numerusform>
            <numerusform>%n untergeordnete Parameter anzeigen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PastePanel</name>
    <message>
        <source>Command, address or settings</source>
        <translation>Befehl, Adresse oder Einstellungen</translation>
    </message>
    <message>
        <source>Paste a command, an address or settings, such as
uvx mcp-server-git --repository .</source>
        <translation>Fügen Sie einen Befehl, eine Adresse oder Einstellungen ein, etwa
uvx mcp-server-git --repository .</translation>
    </message>
    <message>
        <source>Add its tools to</source>
        <translation>Werkzeuge hinzufügen zu</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Already added</source>
        <translation>Schon hinzugefügt</translation>
    </message>
    <message>
        <source>Name of the tool source</source>
        <translation>Name der Werkzeugquelle</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Connects to</source>
        <translation>Verbindet sich mit</translation>
    </message>
    <message>
        <source>Starts on this computer</source>
        <translation>Startet auf diesem Computer</translation>
    </message>
    <message>
        <source>Replaces {placeholder}. Required.</source>
        <translation>Ersetzt {placeholder}. Erforderlich.</translation>
    </message>
    <message>
        <source>Add {source}</source>
        <translation>{source} hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>Add %n tool sources</source>
        <translation>
            <numerusform>%n Werkzeugquelle hinzufügen</numerusform>
            <numerusform>%n Werkzeugquellen hinzufügen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PreferencesForm</name>
    <message>
        <source>As for all assistants</source>
        <translation>Wie für alle Assistenten</translation>
    </message>
    <message>
        <source>Not set</source>
        <translation>Nicht gesetzt</translation>
    </message>
    <message>
        <source>Short</source>
        <translation>Kurz</translation>
    </message>
    <message>
        <source>Standard</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Vollständig</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>Longest guide, in tokens</source>
        <translation>Längste Anleitung, in Token</translation>
    </message>
    <message>
        <source>Tools to prefer</source>
        <translation>Bevorzugte Werkzeuge</translation>
    </message>
    <message>
        <source>Tools to leave alone</source>
        <translation>Zu meidende Werkzeuge</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Assistants write to you, and notes, in it.</source>
        <translation>In ihr schreiben Ihnen Assistenten, auch Notizen.</translation>
    </message>
    <message>
        <source>Length of guides</source>
        <translation>Länge der Anleitungen</translation>
    </message>
    <message>
        <source>Where an assistant asks for no other.</source>
        <translation>Wo ein Assistent keine andere verlangt.</translation>
    </message>
    <message>
        <source>Ask before changes</source>
        <translation>Vor Änderungen fragen</translation>
    </message>
    <message>
        <source>Before a call that may change something.</source>
        <translation>Vor einem Aufruf, der etwas ändern kann.</translation>
    </message>
    <message>
        <source>Less is said of what matters least.</source>
        <translation>Über das Unwichtigste steht weniger darin.</translation>
    </message>
    <message>
        <source>Names such as web.fetch, with commas between.</source>
        <translation>Namen wie web.fetch, mit Kommas dazwischen.</translation>
    </message>
    <message>
        <source>Unless you name them yourself.</source>
        <translation>Es sei denn, Sie nennen sie selbst.</translation>
    </message>
</context>
<context>
    <name>PreviewDialog</name>
    <message>
        <source>Remove your notes from {0}?</source>
        <translation>Ihre Notizen aus {0} entfernen?</translation>
    </message>
    <message>
        <source>They follow your notes from then on. Everything else in a file stays as it is.</source>
        <translation>Sie folgen von da an Ihren Notizen. Alles andere in einer Datei bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>Write your notes into {0}?</source>
        <translation>Ihre Notizen in {0} schreiben?</translation>
    </message>
    <message>
        <source>Change of {0}</source>
        <translation>Änderung an {0}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
</context>
<context>
    <name>ProblemsPage</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Nothing is lost. Entries that can’t be used are kept in their files.</source>
        <translation>Nichts geht verloren. Einträge, die nicht verwendet werden können, bleiben in ihren Dateien.</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PromptCard</name>
    <message>
        <source>Prompt</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>What you would ask the assistant</source>
        <translation>Was Sie den Assistenten fragen würden</translation>
    </message>
    <message>
        <source>Tool that should be called</source>
        <translation>Werkzeug, das aufgerufen werden soll</translation>
    </message>
    <message>
        <source>No tool</source>
        <translation>Kein Werkzeug</translation>
    </message>
    <message>
        <source>Arguments of the call</source>
        <translation>Parameter des Aufrufs</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Write an object, such as {0}.</source>
        <translation>Schreiben Sie ein Objekt, etwa {0}.</translation>
    </message>
</context>
<context>
    <name>QuestionDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>RegistryForm</name>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>Required.</source>
        <translation>Erforderlich.</translation>
    </message>
    <message>
        <source>Enter this first.</source>
        <translation>Geben Sie das zuerst ein.</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner …</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Einen Ordner wählen</translation>
    </message>
</context>
<context>
    <name>SaveTemplateDialog</name>
    <message>
        <source>Save as a template</source>
        <translation>Als Vorlage speichern</translation>
    </message>
    <message>
        <source>Write {example} for text that changes each time. A form asks for it.</source>
        <translation>Schreiben Sie {example} für Text, der sich jedes Mal ändert. Ein Formular fragt danach.</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>What it is for</source>
        <translation>Wofür sie ist</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>The form will ask for: {names}.</source>
        <translation>Das Formular wird fragen nach: {names}.</translation>
    </message>
    <message>
        <source>The form will ask for nothing.</source>
        <translation>Das Formular wird nach nichts fragen.</translation>
    </message>
</context>
<context>
    <name>Search</name>
    <message>
        <source>Make {toolset} the default toolset</source>
        <translation>{toolset} zum Standard-Werkzeugsatz machen</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
</context>
<context>
    <name>SearchPanel</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Enter opens, ↑ ↓ move, Esc closes</source>
        <translation>Eingabe öffnet, ↑ ↓ bewegen, Esc schließt</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>No results for “{words}”.</source>
        <translation>Keine Ergebnisse für „{words}“.</translation>
    </message>
    <message>
        <source>Tools, notes, parameters, assistants, toolsets, tool sources, settings and actions.</source>
        <translation>Werkzeuge, Notizen, Parameter, Assistenten, Werkzeugsätze, Werkzeugquellen, Einstellungen und Aktionen.</translation>
    </message>
</context>
<context>
    <name>SecretDialog</name>
    <message>
        <source>The value of {0}</source>
        <translation>Der Wert von {0}</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>{0} for {1}</source>
        <translation>{0} für {1}</translation>
    </message>
    <message>
        <source>No assistant sees it.</source>
        <translation>Kein Assistent sieht ihn.</translation>
    </message>
    <message>
        <source>Paste or type the key</source>
        <translation>Schlüssel einfügen oder eingeben</translation>
    </message>
    <message>
        <source>Waiting for your keychain. It may ask you to unlock it.</source>
        <translation>Der Schlüsselbund wird gefragt. Er bittet Sie vielleicht, ihn zu entsperren.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Kept in this computer’s keychain.</source>
        <translation>Wird im Schlüsselbund dieses Computers aufbewahrt.</translation>
    </message>
    <message>
        <source>Kept in the file {0}, not encrypted, as you chose.</source>
        <translation>Wird unverschlüsselt in der Datei {0} aufbewahrt, wie Sie es gewählt haben.</translation>
    </message>
    <message>
        <source>Kept for this session only, as you chose.</source>
        <translation>Wird nur für diese Sitzung aufbewahrt, wie Sie es gewählt haben.</translation>
    </message>
    <message>
        <source>This computer has no keychain. Choose where to keep it when you save.</source>
        <translation>Dieser Computer hat keinen Schlüsselbund. Beim Speichern wählen Sie, wo er aufbewahrt wird.</translation>
    </message>
    <message>
        <source>It could not be stored. The log says more.</source>
        <translation>Das konnte nicht gespeichert werden. Näheres steht im Protokoll.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>This computer has no keychain that Toolnote can use.</source>
        <translation>Dieser Computer hat keinen Schlüsselbund, den Toolnote benutzen kann.</translation>
    </message>
    <message>
        <source>Your keychain is locked. Unlock it, then try again.</source>
        <translation>Ihr Schlüsselbund ist gesperrt. Entsperren Sie ihn und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Your keychain doesn’t answer. It may be waiting for you to unlock it.</source>
        <translation>Ihr Schlüsselbund antwortet nicht. Vielleicht wartet er darauf, dass Sie ihn entsperren.</translation>
    </message>
    <message numerus="yes">
        <source>%n lines, saved as they are</source>
        <translation>
            <numerusform>%n Zeile, unverändert gespeichert</numerusform>
            <numerusform>%n Zeilen, unverändert gespeichert</numerusform>
        </translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Verbergen</translation>
    </message>
</context>
<context>
    <name>SecretPlaces</name>
    <message>
        <source>You can keep keys elsewhere: for this session only, or in the file {0}, readable by anyone who can open your files.</source>
        <translation>Sie können Schlüssel anderswo aufbewahren: nur für diese Sitzung oder in der Datei {0}, lesbar für alle, die Ihre Dateien öffnen können.</translation>
    </message>
    <message>
        <source>For this session only</source>
        <translation>Nur für diese Sitzung</translation>
    </message>
    <message>
        <source>Save unencrypted</source>
        <translation>Unverschlüsselt speichern</translation>
    </message>
</context>
<context>
    <name>SecretsAndSignIn</name>
    <message>
        <source>You are signed in.</source>
        <translation>Sie sind angemeldet.</translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation>Abmelden</translation>
    </message>
    <message>
        <source>Missing. Required to start.</source>
        <translation>Fehlt. Zum Starten nötig.</translation>
    </message>
    <message>
        <source>No longer used</source>
        <translation>Nicht mehr verwendet</translation>
    </message>
    <message>
        <source>Enter…</source>
        <translation>Eingeben …</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>Ersetzen …</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel signing in</source>
        <translation>Anmeldung abbrechen</translation>
    </message>
    <message>
        <source>Looking for where to sign in…</source>
        <translation>Anmeldeseite wird gesucht …</translation>
    </message>
    <message>
        <source>Open the page again</source>
        <translation>Die Seite noch einmal öffnen</translation>
    </message>
    <message>
        <source>Sign in on the page that has opened in your browser.</source>
        <translation>Melden Sie sich auf der Seite an, die sich in Ihrem Browser geöffnet hat.</translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message>
        <source>By the task</source>
        <translation>Je nach Aufgabe</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>Only where it is relevant</source>
        <translation>Nur wo es wichtig ist</translation>
    </message>
    <message>
        <source>As they were used</source>
        <translation>Wie sie benutzt wurden</translation>
    </message>
    <message>
        <source>In the guide…</source>
        <translation>In der Anleitung …</translation>
    </message>
    <message>
        <source>Move to…</source>
        <translation>Verschieben nach …</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>Auswahl aufheben</translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n ausgewählt</numerusform>
            <numerusform>%n ausgewählt</numerusform>
        </translation>
    </message>
    <message>
        <source>Turn off</source>
        <translation>Ausschalten</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Don’t ask me first</source>
        <translation>Nicht vorher fragen</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>Mich vorher fragen</translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation>Neuer Werkzeugsatz</translation>
    </message>
</context>
<context>
    <name>ServerInspector</name>
    <message>
        <source>Details of the tool source</source>
        <translation>Details der Werkzeugquelle</translation>
    </message>
    <message>
        <source>Secrets</source>
        <translation>Geheimnisse</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten …</translation>
    </message>
    <message>
        <source>When it changes a tool</source>
        <translation>Wenn sie ein Werkzeug ändert</translation>
    </message>
    <message>
        <source>Used in</source>
        <translation>Verwendet in</translation>
    </message>
    <message>
        <source>Calls in the last 7 days</source>
        <translation>Aufrufe in 7 Tagen</translation>
    </message>
    <message>
        <source>All calls</source>
        <translation>Alle Aufrufe</translation>
    </message>
    <message>
        <source>Use the new version</source>
        <translation>Neue Fassung verwenden</translation>
    </message>
    <message>
        <source>Use it and show me</source>
        <translation>Verwenden und mir zeigen</translation>
    </message>
    <message>
        <source>Wait if its meaning changes</source>
        <translation>Warten, wenn sich der Sinn ändert</translation>
    </message>
    <message>
        <source>Always wait for me</source>
        <translation>Immer auf mich warten</translation>
    </message>
    <message>
        <source>Assistants get the new version at once.</source>
        <translation>Assistenten bekommen die neue Fassung sofort.</translation>
    </message>
    <message>
        <source>Assistants get the new version at once. You see what changed, and can undo it.</source>
        <translation>Assistenten bekommen die neue Fassung sofort. Sie sehen, was sich geändert hat, und können es rückgängig machen.</translation>
    </message>
    <message>
        <source>A new ability, a parameter that sends data away and instructions to the assistant wait until you accept them. Other changes are used at once.</source>
        <translation>Eine neue Fähigkeit, ein Parameter, der Daten hinausgibt, und Anweisungen an den Assistenten warten, bis Sie zustimmen. Andere Änderungen gelten sofort.</translation>
    </message>
    <message>
        <source>Assistants keep the old version until you accept the new one.</source>
        <translation>Assistenten behalten die alte Fassung, bis Sie der neuen zustimmen.</translation>
    </message>
    <message>
        <source>No calls yet</source>
        <translation>Noch keine Aufrufe</translation>
    </message>
    <message>
        <source>Worked</source>
        <translation>Gelungen</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Usual time</source>
        <translation>Übliche Dauer</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>Kopfzeilen</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Sign-in</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>Time limit of a call</source>
        <translation>Zeitgrenze je Aufruf</translation>
    </message>
    <message>
        <source>Time limit of a start</source>
        <translation>Zeitgrenze beim Start</translation>
    </message>
    <message>
        <source>Nothing is set beyond the usual.</source>
        <translation>Alles ist auf Standard.</translation>
    </message>
    <message>
        <source>Variables, folder, time limits</source>
        <translation>Variablen, Ordner, Zeitgrenzen</translation>
    </message>
    <message>
        <source>Sign-in, time limits, headers</source>
        <translation>Anmeldung, Zeitgrenzen, Kopfzeilen</translation>
    </message>
    <message>
        <source>Not in any toolset</source>
        <translation>In keinem Werkzeugsatz</translation>
    </message>
</context>
<context>
    <name>ServerInstructions</name>
    <message>
        <source>Change of the instructions</source>
        <translation>Änderung der Anweisungen</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Keep the old version</source>
        <translation>Alte Fassung behalten</translation>
    </message>
    <message>
        <source>Show its instructions</source>
        <translation>Ihre Anweisungen zeigen</translation>
    </message>
    <message>
        <source>Your note</source>
        <translation>Ihre Notiz</translation>
    </message>
    <message>
        <source>Your note to assistants on this tool source</source>
        <translation>Ihre Notiz für Assistenten zu dieser Werkzeugquelle</translation>
    </message>
    <message>
        <source>Send its instructions to {0}</source>
        <translation>Ihre Anweisungen an {0} senden</translation>
    </message>
    <message>
        <source>Send its instructions to assistants</source>
        <translation>Ihre Anweisungen an Assistenten senden</translation>
    </message>
    <message>
        <source>Turned off on the page of {0}, for all assistants.</source>
        <translation>Auf der Seite von {0} für alle Assistenten ausgeschaltet.</translation>
    </message>
    <message>
        <source>{0} changed its instructions once more</source>
        <translation>{0} hat seine Anweisungen noch einmal geändert</translation>
    </message>
    <message>
        <source>Show the newest version</source>
        <translation>Neueste Fassung anzeigen</translation>
    </message>
    <message>
        <source>{0} changed its instructions</source>
        <translation>{0} hat seine Anweisungen geändert</translation>
    </message>
</context>
<context>
    <name>ServerList</name>
    <message>
        <source>Once it is on, it reads these values: {0}</source>
        <translation>Ist sie eingeschaltet, liest sie diese Werte: {0}</translation>
    </message>
    <message>
        <source>From {0}</source>
        <translation>Aus {0}</translation>
    </message>
    <message>
        <source>already in your library</source>
        <translation>schon in Ihrer Bibliothek</translation>
    </message>
    <message>
        <source>called {0} there; another {0} is in your library</source>
        <translation>heißt dort {0}; ein anderes {0} ist in Ihrer Bibliothek</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
</context>
<context>
    <name>ServerLogView</name>
    <message>
        <source>Show log</source>
        <translation>Protokoll anzeigen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the log</source>
        <translation>Protokoll kopieren</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Hide log</source>
        <translation>Protokoll ausblenden</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Weniger zeigen</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Show the whole log</source>
        <translation>Ganzes Protokoll zeigen</translation>
    </message>
    <message>
        <source>The log is empty.</source>
        <translation>Das Protokoll ist leer.</translation>
    </message>
</context>
<context>
    <name>ServerPage</name>
    <message>
        <source>Tool source</source>
        <translation>Werkzeugquelle</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Tool source is on</source>
        <translation>Werkzeugquelle ist an</translation>
    </message>
    <message>
        <source>Add a note</source>
        <translation>Notiz hinzufügen</translation>
    </message>
    <message>
        <source>Assistants read a note here with each of these tools.</source>
        <translation>Assistenten lesen eine Notiz hier bei jedem dieser Werkzeuge.</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Add all to a toolset…</source>
        <translation>Alle zu einem Werkzeugsatz hinzufügen …</translation>
    </message>
    <message>
        <source>Tools of this source</source>
        <translation>Werkzeuge dieser Quelle</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten …</translation>
    </message>
    <message>
        <source>Run in a container</source>
        <translation>In einem Container ausführen</translation>
    </message>
    <message>
        <source>Remove tool source</source>
        <translation>Werkzeugquelle entfernen</translation>
    </message>
    <message>
        <source>Checking {source}</source>
        <translation>{source} wird geprüft</translation>
    </message>
    <message>
        <source>The prompt {0} has changed.</source>
        <translation>Der Prompt {0} wurde geändert.</translation>
    </message>
    <message>
        <source>The change of the prompt {0} is not served.</source>
        <translation>Die Änderung des Prompts {0} wird nicht weitergegeben.</translation>
    </message>
    <message>
        <source>Review change</source>
        <translation>Änderung prüfen</translation>
    </message>
    <message>
        <source>Show tool</source>
        <translation>Werkzeug zeigen</translation>
    </message>
    <message>
        <source>Its tools have a heading like that of your notes, and assistants read it as it is.</source>
        <translation>Ihre Werkzeuge haben eine Überschrift wie die Ihrer Notizen, und Assistenten lesen sie unverändert.</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Its tools have a heading like that of your notes. Assistants read another one in its place.</source>
        <translation>Ihre Werkzeuge haben eine Überschrift wie die Ihrer Notizen. Assistenten lesen dafür eine andere.</translation>
    </message>
    <message>
        <source>Let it stay</source>
        <translation>Stehen lassen</translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation>Neuer Werkzeugsatz</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>It was started without {variables}, which may be why.</source>
        <translation>Es wurde ohne {variables} gestartet. Das kann der Grund sein.</translation>
    </message>
    <message>
        <source>Pass on</source>
        <translation>Weitergeben</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Its tools appear here when it answers.</source>
        <translation>Ihre Werkzeuge erscheinen hier, sobald sie antwortet.</translation>
    </message>
    <message>
        <source>No tools yet. Fix the problem above first.</source>
        <translation>Noch keine Werkzeuge. Beheben Sie zuerst das Problem oben.</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Verdoppeln</translation>
    </message>
    <message>
        <source>{source} is on</source>
        <translation>{source} ist an</translation>
    </message>
    <message>
        <source>Notes on all {source} tools</source>
        <translation>Notizen zu allen Werkzeugen von {source}</translation>
    </message>
    <message>
        <source>No tools yet</source>
        <translation>Noch keine Werkzeuge</translation>
    </message>
    <message>
        <source>It has no tools. Restart it, or check its log.</source>
        <translation>Die Quelle hat keine Werkzeuge. Starten Sie sie neu oder sehen Sie ins Protokoll.</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
</context>
<context>
    <name>ServerStateAnnouncer</name>
    <message>
        <source>{source}: {state}</source>
        <translation>{source}: {state}</translation>
    </message>
    <message>
        <source>{ready} tool sources are ready, {others} are not.</source>
        <translation>{ready} Werkzeugquellen sind bereit, {others} nicht.</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Assistants</source>
        <translation>Assistenten</translation>
    </message>
    <message>
        <source>Toolnote’s tools</source>
        <translation>Toolnotes Werkzeuge</translation>
    </message>
    <message>
        <source>Pages of the settings</source>
        <translation>Seiten der Einstellungen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>Beim Anmelden starten</translation>
    </message>
    <message>
        <source>Toolnote starts with your session, without opening its window.</source>
        <translation>Toolnote startet mit Ihrer Sitzung, ohne sein Fenster zu öffnen.</translation>
    </message>
    <message>
        <source>How assistants work with you</source>
        <translation>Wie Assistenten mit Ihnen arbeiten</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>SidebarView</name>
    <message>
        <source>Sidebar: assistants, toolsets and tool sources</source>
        <translation>Seitenleiste: Assistenten, Werkzeugsätze und Werkzeugquellen</translation>
    </message>
</context>
<context>
    <name>SourceNotes</name>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Turn off (hidden from assistants)</source>
        <translation>Ausschalten (für Assistenten unsichtbar)</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Every tool</source>
        <translation>Jedes Werkzeug</translation>
    </message>
    <message>
        <source>All {source} tools</source>
        <translation>Alle Werkzeuge von {source}</translation>
    </message>
</context>
<context>
    <name>SourceTools</name>
    <message>
        <source>Ask me first</source>
        <translation>Mich vorher fragen</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
</context>
<context>
    <name>StartFailed</name>
    <message>
        <source>Toolnote couldn’t start</source>
        <translation>Toolnote konnte nicht starten</translation>
    </message>
    <message>
        <source>Your notes and toolsets are unchanged. The report has no secrets and stays here unless you send it.</source>
        <translation>Ihre Notizen und Werkzeugsätze sind unverändert. Der Bericht enthält keine Geheimnisse und bleibt hier, wenn Sie ihn nicht senden.</translation>
    </message>
    <message>
        <source>Your notes and toolsets are unchanged. In safe mode Toolnote starts no tool sources and resets its window, so that you can fix what keeps it from starting.</source>
        <translation>Ihre Notizen und Werkzeugsätze sind unverändert. Im abgesicherten Modus startet Toolnote keine Werkzeugquellen und setzt sein Fenster zurück, damit Sie beheben können, was den Start verhindert.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Start in safe mode</source>
        <translation>Im abgesicherten Modus starten</translation>
    </message>
</context>
<context>
    <name>StartRefused</name>
    <message>
        <source>Couldn’t write {file}: {reason}. Free some space or allow writing there, then try again.</source>
        <translation>{file} konnte nicht geschrieben werden: {reason}. Schaffen Sie Platz oder erlauben Sie das Schreiben dort, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Toolnote can’t start</source>
        <translation>Toolnote kann nicht starten</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
</context>
<context>
    <name>TaskTypeForm</name>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Words in your request</source>
        <translation>Wörter in Ihrem Auftrag</translation>
    </message>
    <message>
        <source>Words in a tool’s name</source>
        <translation>Wörter im Namen eines Werkzeugs</translation>
    </message>
    <message>
        <source>Categories</source>
        <translation>Kategorien</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Separate them with commas. A request with one of them is this type of task.</source>
        <translation>Durch Kommas getrennt. Ein Auftrag mit einem dieser Wörter ist von diesem Aufgabentyp.</translation>
    </message>
    <message>
        <source>Tools with one of these in their name, category or “When to use” are relevant.</source>
        <translation>Werkzeuge mit einem dieser Wörter im Namen, in der Kategorie oder unter „Wann benutzen“ sind relevant.</translation>
    </message>
    <message>
        <source>All tools of these categories are relevant.</source>
        <translation>Alle Werkzeuge dieser Kategorien sind relevant.</translation>
    </message>
    <message>
        <source>These tools are relevant. Use the names that assistants see.</source>
        <translation>Diese Werkzeuge sind relevant. Verwenden Sie die Namen, die Assistenten sehen.</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset {name}</source>
        <translation>{name} zurücksetzen</translation>
    </message>
    <message>
        <source>No words</source>
        <translation>Keine Wörter</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
</context>
<context>
    <name>TemplateDialog</name>
    <message>
        <source>Start from a template</source>
        <translation>Mit einer Vorlage beginnen</translation>
    </message>
    <message>
        <source>Templates</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>The note</source>
        <translation>Die Notiz</translation>
    </message>
    <message>
        <source>Fill in the blanks. You can edit the note afterwards.</source>
        <translation>Füllen Sie die Lücken aus. Sie können die Notiz danach bearbeiten.</translation>
    </message>
    <message>
        <source>Delete this template</source>
        <translation>Diese Vorlage löschen</translation>
    </message>
    <message>
        <source>Add the note</source>
        <translation>Notiz hinzufügen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>{title} (yours)</source>
        <translation>{title} (Ihre)</translation>
    </message>
    <message>
        <source>Restore “{title}”</source>
        <translation>„{title}“ wiederherstellen</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>ToolInspector</name>
    <message>
        <source>Details of the tool</source>
        <translation>Einzelheiten zum Werkzeug</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Review change</source>
        <translation>Änderung prüfen</translation>
    </message>
    <message>
        <source>Who gets this tool</source>
        <translation>Wer dieses Werkzeug bekommt</translation>
    </message>
    <message>
        <source>Behavior</source>
        <translation>Verhalten</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Umfang</translation>
    </message>
    <message>
        <source>Last calls</source>
        <translation>Letzte Aufrufe</translation>
    </message>
    <message>
        <source>All calls</source>
        <translation>Alle Aufrufe</translation>
    </message>
    <message>
        <source>{source} changed this tool</source>
        <translation>{source} hat dieses Werkzeug geändert</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>{toolset} is about {n} tokens, more than the {most} that you allow</source>
        <translation>{toolset} hat etwa {n} Token, mehr als die {most}, die Sie erlauben</translation>
    </message>
    <message>
        <source>{toolset} is about {n} tokens in all</source>
        <translation>{toolset} hat insgesamt etwa {n} Token</translation>
    </message>
    <message>
        <source>No toolset</source>
        <translation>Kein Werkzeugsatz</translation>
    </message>
    <message>
        <source>No assistant is connected.</source>
        <translation>Kein Assistent ist verbunden.</translation>
    </message>
    <message>
        <source>Changes data</source>
        <translation>Ändert Daten</translation>
    </message>
    <message>
        <source>Can delete data</source>
        <translation>Kann Daten löschen</translation>
    </message>
    <message>
        <source>Safe to repeat</source>
        <translation>Lässt sich gefahrlos wiederholen</translation>
    </message>
    <message>
        <source>Goes online</source>
        <translation>Geht ins Internet</translation>
    </message>
    <message>
        <source>{value} (set by {source})</source>
        <translation>{value} (von {source})</translation>
    </message>
    <message>
        <source>{value} (set by you)</source>
        <translation>{value} (von Ihnen gesetzt)</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Not set</source>
        <translation>Nicht festgelegt</translation>
    </message>
    <message>
        <source>New category…</source>
        <translation>Neue Kategorie …</translation>
    </message>
    <message>
        <source>Only reads</source>
        <translation>Liest nur</translation>
    </message>
    <message>
        <source>Reads online data</source>
        <translation>Liest Daten aus dem Internet</translation>
    </message>
    <message>
        <source>Deletes or overwrites</source>
        <translation>Löscht oder überschreibt</translation>
    </message>
    <message>
        <source>Updates a setting</source>
        <translation>Ändert eine Einstellung</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Auswählen …</translation>
    </message>
    <message>
        <source>About {n} tokens, {notes} in notes</source>
        <translation>Etwa {n} Token, davon {notes} in Notizen</translation>
    </message>
    <message>
        <source>About {n} tokens, {notes} in notes, more than the {most} that you allow</source>
        <translation>Etwa {n} Token, davon {notes} in Notizen, mehr als die {most}, die Sie erlauben</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>Not specified</source>
        <translation>Nicht angegeben</translation>
    </message>
</context>
<context>
    <name>ToolList</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Turn on or off</source>
        <translation>Ein- oder ausschalten</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Remove from this toolset</source>
        <translation>Aus diesem Werkzeugsatz entfernen</translation>
    </message>
</context>
<context>
    <name>ToolListHead</name>
    <message>
        <source>Select all tools</source>
        <translation>Alle Werkzeuge auswählen</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>Mich vorher fragen</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
</context>
<context>
    <name>ToolOffers</name>
    <message>
        <source>Add this note</source>
        <translation>Notiz übernehmen</translation>
    </message>
    <message>
        <source>A call worked after one that failed.</source>
        <translation>Nach einem fehlgeschlagenen Aufruf ist einer gelungen.</translation>
    </message>
    <message>
        <source>Use what worked</source>
        <translation>Das Gelungene übernehmen</translation>
    </message>
</context>
<context>
    <name>ToolPage</name>
    <message>
        <source>Tool and your notes on it</source>
        <translation>Werkzeug und Ihre Notizen dazu</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>On in this toolset</source>
        <translation>In diesem Werkzeugsatz an</translation>
    </message>
    <message>
        <source>{tool} is on in {toolset}</source>
        <translation>{tool} ist in {toolset} an</translation>
    </message>
    <message>
        <source>Show {source}</source>
        <translation>{source} zeigen</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>Mich vorher fragen</translation>
    </message>
    <message>
        <source>Try it…</source>
        <translation>Ausprobieren …</translation>
    </message>
    <message>
        <source>Toolsets</source>
        <translation>Werkzeugsatzs</translation>
    </message>
    <message>
        <source>Views of the tool</source>
        <translation>Ansichten des Werkzeugs</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Exact data</source>
        <translation>Genaue Daten</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Viewing as</source>
        <translation>Ansicht für</translation>
    </message>
    <message>
        <source>Load at once</source>
        <translation>Sofort laden</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>So lassen</translation>
    </message>
    <message>
        <source>{assistant} doesn’t get this tool.</source>
        <translation>{assistant} bekommt dieses Werkzeug nicht.</translation>
    </message>
    <message>
        <source>No toolset is chosen for it.</source>
        <translation>Für ihn ist kein Werkzeugsatz gewählt.</translation>
    </message>
    <message>
        <source>{toolset} doesn’t include it.</source>
        <translation>{toolset} enthält es nicht.</translation>
    </message>
    <message>
        <source>Add it to {toolset}</source>
        <translation>In {toolset} aufnehmen</translation>
    </message>
    <message>
        <source>It is off, or its tool source doesn’t offer it now.</source>
        <translation>Es ist aus, oder seine Quelle bietet es gerade nicht an.</translation>
    </message>
    <message>
        <source>{assistant} loads tools on demand: it reads your notes only once it has found this tool.</source>
        <translation>{assistant} lädt Werkzeuge erst bei Bedarf und liest Ihre Notizen erst, wenn es dieses Werkzeug gefunden hat.</translation>
    </message>
    <message>
        <source>Any assistant</source>
        <translation>Beliebiger Assistent</translation>
    </message>
    <message>
        <source>no toolset</source>
        <translation>kein Werkzeugsatz</translation>
    </message>
    <message>
        <source>Assistants with this toolset get the tool</source>
        <translation>Assistenten mit diesem Werkzeugsatz bekommen das Werkzeug</translation>
    </message>
    <message>
        <source>Set in {toolset} only</source>
        <translation>Nur in {toolset} festgelegt</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>Prüfen…</translation>
    </message>
    <message>
        <source>This tool can delete data, and you aren’t asked before it runs.</source>
        <translation>Dieses Werkzeug kann Daten löschen, und Sie werden vorher nicht gefragt.</translation>
    </message>
    <message>
        <source>Create a toolset with this tool</source>
        <translation>Werkzeugsatz mit diesem Werkzeug anlegen</translation>
    </message>
    <message>
        <source>Use {toolset} by default</source>
        <translation>{toolset} als Standard verwenden</translation>
    </message>
    <message>
        <source>its description</source>
        <translation>seine Beschreibung</translation>
    </message>
    <message>
        <source>its parameters</source>
        <translation>seine Parameter</translation>
    </message>
    <message>
        <source>its results</source>
        <translation>seine Ergebnisse</translation>
    </message>
    <message>
        <source>its behavior</source>
        <translation>sein Verhalten</translation>
    </message>
    <message>
        <source>{source} changed this tool: {what}. Check that your notes still fit.</source>
        <translation>{source} hat dieses Werkzeug geändert: {what}. Prüfen Sie, ob Ihre Notizen noch passen.</translation>
    </message>
    <message>
        <source>New toolset with this tool</source>
        <translation>Neuer Werkzeugsatz mit diesem Werkzeug</translation>
    </message>
    <message>
        <source>In every toolset</source>
        <translation>In allen Werkzeugsätzen</translation>
    </message>
    <message>
        <source>Add a note from a template…</source>
        <translation>Notiz aus einer Vorlage hinzufügen …</translation>
    </message>
    <message>
        <source>What the guide lists this tool under.</source>
        <translation>Darunter steht das Werkzeug in der Anleitung.</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Set category</source>
        <translation>Kategorie festlegen</translation>
    </message>
    <message>
        <source>New category</source>
        <translation>Neue Kategorie</translation>
    </message>
    <message>
        <source>Note “{name}” added</source>
        <translation>Notiz „{name}“ hinzugefügt</translation>
    </message>
    <message>
        <source>Added to {toolset}: for {assistants}</source>
        <translation>In {toolset} aufgenommen: für {assistants}</translation>
    </message>
    <message>
        <source>Removed from {toolset}: for {assistants}</source>
        <translation>Aus {toolset} entfernt: für {assistants}</translation>
    </message>
    <message>
        <source>This tool has {count} invisible characters that assistants read. See Exact data.</source>
        <translation>Dieses Werkzeug hat {count} unsichtbare Zeichen, die Assistenten lesen. Siehe „Genaue Daten“.</translation>
    </message>
    <message>
        <source>{source} no longer offers this tool. Your notes are kept and come back with it.</source>
        <translation>{source} bietet dieses Werkzeug nicht mehr an. Ihre Notizen bleiben erhalten und kommen mit ihm zurück.</translation>
    </message>
    <message>
        <source>There is no default toolset, so assistants don’t get this tool.</source>
        <translation>Es gibt keinen Standard-Werkzeugsatz; deshalb bekommen Assistenten dieses Werkzeug nicht.</translation>
    </message>
    <message>
        <source>{source} is off, so assistants don’t get its tools.</source>
        <translation>{source} ist aus, deshalb bekommen Assistenten diese Werkzeuge nicht.</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>its title</source>
        <translation>sein Titel</translation>
    </message>
    <message>
        <source>other details</source>
        <translation>andere Einzelheiten</translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation>Neuer Werkzeugsatz</translation>
    </message>
    <message>
        <source>My tools</source>
        <translation>Meine Werkzeuge</translation>
    </message>
</context>
<context>
    <name>ToolRecordsPage</name>
    <message>
        <source>Toolnote’s own tools for assistants, besides yours.</source>
        <translation>Toolnotes eigene Werkzeuge für Assistenten, neben Ihren.</translation>
    </message>
    <message>
        <source>{on} of {all} on</source>
        <translation>{on} von {all} an</translation>
    </message>
    <message>
        <source>Toolsets</source>
        <translation>Werkzeugsätze</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Anleitung</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Always on while assistants find tools by searching.</source>
        <translation>Immer an, solange Assistenten Werkzeuge durch Suchen finden.</translation>
    </message>
    <message>
        <source>Instructions for {tool}</source>
        <translation>Anweisungen für {tool}</translation>
    </message>
    <message>
        <source>What should assistants know before they use this tool?</source>
        <translation>Was sollen Assistenten wissen, bevor sie dieses Werkzeug benutzen?</translation>
    </message>
    <message>
        <source>Instructions…</source>
        <translation>Anweisungen …</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
</context>
<context>
    <name>ToolRowDelegate</name>
    <message>
        <source>Tool not found</source>
        <translation>Werkzeug nicht gefunden</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>Mich vorher fragen</translation>
    </message>
</context>
<context>
    <name>ToolsModel</name>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Never used</source>
        <translation>Nie benutzt</translation>
    </message>
    <message>
        <source>about {0}</source>
        <translation>etwa {0}</translation>
    </message>
</context>
<context>
    <name>ToolsTable</name>
    <message>
        <source>Tools by use</source>
        <translation>Werkzeuge nach Nutzung</translation>
    </message>
</context>
<context>
    <name>ToolsetList</name>
    <message>
        <source>When to use it: {0}</source>
        <translation>Wann es zu verwenden ist: {0}</translation>
    </message>
    <message>
        <source>For all of its tools: {0}</source>
        <translation>Für alle seine Werkzeuge: {0}</translation>
    </message>
    <message>
        <source>Kind of work: {0}</source>
        <translation>Art der Arbeit: {0}</translation>
    </message>
    <message>
        <source>Prompt of the bench: {0}</source>
        <translation>Aufgabe des Prüfstands: {0}</translation>
    </message>
    <message>
        <source>Turned off</source>
        <translation>Ausgeschaltet</translation>
    </message>
    <message>
        <source>Assistants know it as {0}.</source>
        <translation>Assistenten kennen es als {0}.</translation>
    </message>
    <message>
        <source>You are asked before each call.</source>
        <translation>Sie werden vor jedem Aufruf gefragt.</translation>
    </message>
    <message>
        <source>Runs only with your consent.</source>
        <translation>Läuft nur mit Ihrer Zustimmung.</translation>
    </message>
    <message>
        <source>{0} is always {1}. Assistants don’t see it.</source>
        <translation>{0} ist immer {1}. Assistenten sehen es nicht.</translation>
    </message>
    <message>
        <source>{0} is {1} where the assistant leaves it out.</source>
        <translation>{0} ist {1}, wo der Assistent es weglässt.</translation>
    </message>
    <message>
        <source>Assistants don’t see {0}.</source>
        <translation>Assistenten sehen {0} nicht.</translation>
    </message>
    <message>
        <source>{0} may only be {1}.</source>
        <translation>{0} darf nur {1} sein.</translation>
    </message>
    <message>
        <source>Left out of its description: {0}</source>
        <translation>Aus seiner Beschreibung weggelassen: {0}</translation>
    </message>
    <message>
        <source>Hints: {0}</source>
        <translation>Hinweise: {0}</translation>
    </message>
    <message>
        <source>{0} (comes with its tool source)</source>
        <translation>{0} (kommt mit seiner Werkzeugquelle)</translation>
    </message>
    <message>
        <source>{0} (not here: it works as soon as a tool source offers it)</source>
        <translation>{0} (nicht hier: es gilt, sobald eine Werkzeugquelle es anbietet)</translation>
    </message>
</context>
<context>
    <name>ToolsetPage</name>
    <message>
        <source>Toolset</source>
        <translation>Werkzeugsatz</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>+  Add tools…</source>
        <translation>+  Werkzeuge hinzufügen …</translation>
    </message>
    <message>
        <source>Add tools…</source>
        <translation>Werkzeuge hinzufügen …</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Anleitung</translation>
    </message>
    <message>
        <source>Views of the toolset</source>
        <translation>Ansichten des Werkzeugsatzes</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Filter tools</source>
        <translation>Werkzeuge filtern</translation>
    </message>
    <message>
        <source>Tools of this toolset</source>
        <translation>Werkzeuge dieses Werkzeugsatzes</translation>
    </message>
    <message>
        <source>Give to new assistants by default</source>
        <translation>Neuen Assistenten standardmäßig geben</translation>
    </message>
    <message>
        <source>Bench…</source>
        <translation>Prüfstand…</translation>
    </message>
    <message>
        <source>Delete toolset</source>
        <translation>Werkzeugsatz löschen</translation>
    </message>
    <message>
        <source>about {n} tokens</source>
        <translation>etwa {n} Token</translation>
    </message>
    <message>
        <source>{text}, more than the {most} that you allow</source>
        <translation>{text}, mehr als die {most}, die Sie erlauben</translation>
    </message>
    <message>
        <source>No results for “{text}”.</source>
        <translation>Keine Treffer für „{text}“.</translation>
    </message>
    <message>
        <source>Show all tools</source>
        <translation>Alle Werkzeuge zeigen</translation>
    </message>
    <message>
        <source>No tools in this toolset yet.</source>
        <translation>Noch keine Werkzeuge in diesem Werkzeugsatz.</translation>
    </message>
    <message>
        <source>{tool} has changed since this was written: {notes}</source>
        <translation>{tool} hat sich geändert, seit dies geschrieben wurde: {notes}</translation>
    </message>
    <message>
        <source>Open tool</source>
        <translation>Werkzeug öffnen</translation>
    </message>
    <message>
        <source>{tool} can delete data, and you aren’t asked before it runs.</source>
        <translation>{tool} kann Daten löschen, und Sie werden vorher nicht gefragt.</translation>
    </message>
    <message>
        <source>{n} tools can delete data, and you aren’t asked before they run.</source>
        <translation>{n} Werkzeuge können Daten löschen, und Sie werden vorher nicht gefragt.</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>Mich vorher fragen</translation>
    </message>
    <message>
        <source>Title of the toolset</source>
        <translation>Titel des Werkzeugsatzes</translation>
    </message>
    <message>
        <source>Share…</source>
        <translation>Teilen …</translation>
    </message>
</context>
<context>
    <name>ToolsetTools</name>
    <message>
        <source>Tool not found</source>
        <translation>Werkzeug nicht gefunden</translation>
    </message>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>Mich vorher fragen</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
</context>
<context>
    <name>ToolsetUsers</name>
    <message>
        <source>Used by</source>
        <translation>Benutzt von</translation>
    </message>
    <message>
        <source>No assistant uses it yet</source>
        <translation>Noch benutzt ihn kein Assistent</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weitere</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Give to another assistant…</source>
        <translation>Einem weiteren Assistenten geben …</translation>
    </message>
    <message>
        <source>Give to an assistant…</source>
        <translation>Einem Assistenten geben …</translation>
    </message>
    <message>
        <source>Connect an assistant…</source>
        <translation>Assistenten verbinden …</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Top bar</source>
        <translation>Kopfleiste</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Seitenleiste rechts</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open Toolnote</source>
        <translation>Toolnote öffnen</translation>
    </message>
    <message>
        <source>Toolnote keeps running</source>
        <translation>Toolnote läuft weiter</translation>
    </message>
    <message>
        <source>Your assistants keep their tools. Quit Toolnote from this icon.</source>
        <translation>Ihre Assistenten behalten ihre Werkzeuge. Beenden Sie Toolnote über dieses Symbol.</translation>
    </message>
    <message>
        <source>Not answering: %1</source>
        <translation>Antwortet nicht: %1</translation>
    </message>
    <message>
        <source>In safe mode: no tool source runs</source>
        <translation>Im abgesicherten Modus: Keine Werkzeugquelle läuft</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>On, your notes are paused</source>
        <translation>An, Ihre Notizen ruhen</translation>
    </message>
    <message>
        <source>On, no assistant running</source>
        <translation>An, kein Assistent läuft</translation>
    </message>
    <message>
        <source>On, %1 running</source>
        <translation>An, %1 läuft</translation>
    </message>
    <message>
        <source>Toolset</source>
        <translation>Werkzeugsatz</translation>
    </message>
    <message>
        <source>Pause notes</source>
        <translation>Notizen ruhen lassen</translation>
    </message>
    <message>
        <source>Recent problems</source>
        <translation>Jüngste Probleme</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>Beim Anmelden starten</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Quit (%1 will lose these tools)</source>
        <translation>Beenden (%1 verlieren diese Werkzeuge)</translation>
    </message>
</context>
<context>
    <name>TryInspector</name>
    <message>
        <source>Try {tool}</source>
        <translation>{tool} ausprobieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Exact data</source>
        <translation>Genaue Daten</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles anzeigen</translation>
    </message>
    <message>
        <source>This really runs the tool in {source}.</source>
        <translation>Das Werkzeug läuft dabei wirklich in {source}.</translation>
    </message>
    <message>
        <source>This tool has no parameters.</source>
        <translation>Dieses Werkzeug hat keine Parameter.</translation>
    </message>
    <message>
        <source>Required</source>
        <translation>Erforderlich</translation>
    </message>
    <message>
        <source>{name}, required</source>
        <translation>{name}, erforderlich</translation>
    </message>
    <message>
        <source>Your default</source>
        <translation>Ihre Vorgabe</translation>
    </message>
    <message>
        <source>One per line</source>
        <translation>Eins pro Zeile</translation>
    </message>
    <message>
        <source>Not given</source>
        <translation>Keine Angabe</translation>
    </message>
    <message>
        <source>such as [1, 2] or {“a”: 1}</source>
        <translation>etwa [1, 2] oder {„a“: 1}</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>“{parameter}” takes no such value.</source>
        <translation>„{parameter}“ nimmt einen solchen Wert nicht an.</translation>
    </message>
    <message>
        <source>Fill in {names}.</source>
        <translation>Füllen Sie {names} aus.</translation>
    </message>
    <message>
        <source>{tool} can delete data in {source}. Run it?</source>
        <translation>{tool} kann Daten in {source} löschen. Ausführen?</translation>
    </message>
    <message>
        <source>{source} doesn’t say what {tool} changes. Run it?</source>
        <translation>{source} sagt nicht, was {tool} ändert. Ausführen?</translation>
    </message>
    <message>
        <source>Run anyway</source>
        <translation>Trotzdem ausführen</translation>
    </message>
    <message>
        <source>Toolnote is still starting. Try again in a moment.</source>
        <translation>Toolnote startet noch. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>Läuft …</translation>
    </message>
    <message>
        <source>Failed after {n} s</source>
        <translation>Fehlgeschlagen nach {n} s</translation>
    </message>
    <message>
        <source>Worked in {n} s</source>
        <translation>Erledigt in {n} s</translation>
    </message>
</context>
<context>
    <name>UpdateDialog</name>
    <message>
        <source>{size} to download. Your notes, toolsets and assistants stay as they are.</source>
        <translation>{size} zu laden. Ihre Notizen, Werkzeugsätze und Assistenten bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Toolnote {version} is available</source>
        <translation>Toolnote {version} ist verfügbar</translation>
    </message>
    <message>
        <source>What’s new</source>
        <translation>Neuigkeiten</translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>Geladen</translation>
    </message>
    <message>
        <source>Check for updates daily</source>
        <translation>Täglich nach Aktualisierungen suchen</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Jetzt nicht</translation>
    </message>
    <message>
        <source>Downloading Toolnote {version}</source>
        <translation>Toolnote {version} wird heruntergeladen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>The update is downloaded and checked. It’s installed when you quit Toolnote.</source>
        <translation>Die neue Version ist geladen und geprüft. Sie wird installiert, wenn Sie Toolnote beenden.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Couldn’t download the new version. {reason}</source>
        <translation>Die neue Version konnte nicht geladen werden. {reason}</translation>
    </message>
</context>
<context>
    <name>UpdateNotices</name>
    <message>
        <source>Toolnote {version} is here.</source>
        <translation>Toolnote {version} ist da.</translation>
    </message>
    <message>
        <source>What’s new</source>
        <translation>Neuigkeiten</translation>
    </message>
    <message>
        <source>This is the newest version of Toolnote.</source>
        <translation>Dies ist die neueste Version von Toolnote.</translation>
    </message>
    <message>
        <source>Couldn’t check for a new version: {reason}</source>
        <translation>Es ließ sich nicht prüfen, ob es eine neue Version gibt: {reason}</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Toolnote {version} is available</source>
        <translation>Toolnote {version} ist verfügbar</translation>
    </message>
    <message>
        <source>Read what changes before you install it.</source>
        <translation>Lesen Sie, was sich ändert, bevor Sie es installieren.</translation>
    </message>
    <message>
        <source>A new version of Toolnote is installed. Restart to use it.</source>
        <translation>Eine neue Version von Toolnote ist installiert. Starten Sie neu, um sie zu nutzen.</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>A new version of Toolnote was installed</source>
        <translation>Eine neue Version von Toolnote wurde installiert</translation>
    </message>
    <message>
        <source>Restart to use it.</source>
        <translation>Starten Sie neu, um sie zu verwenden.</translation>
    </message>
</context>
<context>
    <name>WholeText</name>
    <message>
        <source>Whole text</source>
        <translation>Ganzer Text</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>WindowMenu</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Add a note</source>
        <translation>Notiz hinzufügen</translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation>Neuer Werkzeugsatz</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Add tools…</source>
        <translation>Werkzeuge hinzufügen …</translation>
    </message>
    <message>
        <source>Add from a file…</source>
        <translation>Aus einer Datei hinzufügen …</translation>
    </message>
    <message>
        <source>Connect an assistant…</source>
        <translation>Einen Assistenten verbinden …</translation>
    </message>
    <message>
        <source>Filter this page</source>
        <translation>Diese Seite filtern</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>Go to the message</source>
        <translation>Zur Meldung</translation>
    </message>
    <message>
        <source>Try it…</source>
        <translation>Ausprobieren …</translation>
    </message>
    <message>
        <source>Exact data</source>
        <translation>Genaue Daten</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation>Demo ausprobieren</translation>
    </message>
    <message>
        <source>Browse the catalog…</source>
        <translation>Katalog durchsuchen …</translation>
    </message>
    <message>
        <source>Share a toolset…</source>
        <translation>Werkzeugsatz teilen …</translation>
    </message>
    <message>
        <source>What the lists cost</source>
        <translation>Was die Listen kosten</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Seitenleiste rechts</translation>
    </message>
    <message>
        <source>Pause notes</source>
        <translation>Notizen ruhen lassen</translation>
    </message>
    <message>
        <source>Turn off</source>
        <translation>Ausschalten</translation>
    </message>
    <message>
        <source>Stop all tool sources: assistants get no tools</source>
        <translation>Alle Werkzeugquellen anhalten: Assistenten bekommen keine Werkzeuge</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>Nächster Bereich</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>Voriger Bereich</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen …</translation>
    </message>
    <message>
        <source>About Toolnote</source>
        <translation>Über Toolnote</translation>
    </message>
    <message>
        <source>Quit Toolnote</source>
        <translation>Toolnote beenden</translation>
    </message>
    <message>
        <source>Default toolset</source>
        <translation>Standard-Werkzeugsatz</translation>
    </message>
    <message>
        <source>Undo {action}</source>
        <translation>{action} rückgängig machen</translation>
    </message>
    <message>
        <source>Redo {action}</source>
        <translation>{action} wiederholen</translation>
    </message>
</context>
<context>
    <name>WorkRow</name>
    <message>
        <source>In progress</source>
        <translation>In Arbeit</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>What is in progress</source>
        <translation>Was in Arbeit ist</translation>
    </message>
    <message numerus="yes">
        <source>%n things in progress</source>
        <translation>
            <numerusform>%n Sache in Arbeit</numerusform>
            <numerusform>%n Sachen in Arbeit</numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel: {what}</source>
        <translation>Abbrechen: {what}</translation>
    </message>
</context>
<context>
    <name>WrittenBy</name>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{author} wrote this {when}.</source>
        <translation>{author} hat das {when} geschrieben.</translation>
    </message>
    <message>
        <source>{author} wrote this.</source>
        <translation>{author} hat das geschrieben.</translation>
    </message>
</context>
<context>
    <name>_AllBox</name>
    <message>
        <source>none selected</source>
        <translation>keine ausgewählt</translation>
    </message>
    <message>
        <source>some selected</source>
        <translation>einige ausgewählt</translation>
    </message>
    <message>
        <source>all selected</source>
        <translation>alle ausgewählt</translation>
    </message>
</context>
<context>
    <name>_DayButton</name>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>{count} failed</source>
        <translation>{count} Fehler</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 Aufruf</translation>
    </message>
    <message numerus="yes">
        <source>%n calls</source>
        <translation>
            <numerusform>%n Aufruf</numerusform>
            <numerusform>%n Aufrufe</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_RowDelegate</name>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>Mich vorher fragen</translation>
    </message>
</context>
<context>
    <name>action_names</name>
    <message>
        <source>Move Note</source>
        <translation>Verschieben der Notiz</translation>
    </message>
    <message>
        <source>Delete Note</source>
        <translation>Löschen der Notiz</translation>
    </message>
    <message>
        <source>Write Note</source>
        <translation>Schreiben der Notiz</translation>
    </message>
    <message>
        <source>Add Tools</source>
        <translation>Hinzufügen von Werkzeugen</translation>
    </message>
    <message>
        <source>Remove Tools</source>
        <translation>Entfernen von Werkzeugen</translation>
    </message>
    <message>
        <source>Move Tool</source>
        <translation>Verschieben des Werkzeugs</translation>
    </message>
    <message>
        <source>Change Tool</source>
        <translation>Ändern des Werkzeugs</translation>
    </message>
    <message>
        <source>Create Toolset</source>
        <translation>Anlegen des Werkzeugsatzes</translation>
    </message>
    <message>
        <source>Delete Toolset</source>
        <translation>Löschen des Werkzeugsatzes</translation>
    </message>
    <message>
        <source>Rename Toolset</source>
        <translation>Umbenennen des Werkzeugsatzes</translation>
    </message>
    <message>
        <source>Change Toolset</source>
        <translation>Ändern des Werkzeugsatzes</translation>
    </message>
    <message>
        <source>Add Tool Source</source>
        <translation>Hinzufügen der Werkzeugquelle</translation>
    </message>
    <message>
        <source>Remove Tool Source</source>
        <translation>Entfernen der Werkzeugquelle</translation>
    </message>
    <message>
        <source>Edit Tool Source</source>
        <translation>Bearbeiten der Werkzeugquelle</translation>
    </message>
    <message>
        <source>Change Assistant</source>
        <translation>Ändern des Assistenten</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Keep Note</source>
        <translation>Behalten der Notiz</translation>
    </message>
    <message>
        <source>Rename Note</source>
        <translation>Umbenennen der Notiz</translation>
    </message>
    <message>
        <source>Pause Notes</source>
        <translation>Anhalten der Notizen</translation>
    </message>
    <message>
        <source>Resume Notes</source>
        <translation>Fortsetzen der Notizen</translation>
    </message>
    <message>
        <source>Change Default Toolset</source>
        <translation>Ändern des Standard-Werkzeugsatzes</translation>
    </message>
    <message>
        <source>Change Setting</source>
        <translation>Ändern der Einstellung</translation>
    </message>
    <message>
        <source>Turn On Note</source>
        <translation>Einschalten der Notiz</translation>
    </message>
    <message>
        <source>Turn Off Note</source>
        <translation>Ausschalten der Notiz</translation>
    </message>
    <message>
        <source>Turn On Tool</source>
        <translation>Einschalten des Werkzeugs</translation>
    </message>
    <message>
        <source>Turn Off Tool</source>
        <translation>Ausschalten des Werkzeugs</translation>
    </message>
    <message>
        <source>Turn On Tool Source</source>
        <translation>Einschalten der Werkzeugquelle</translation>
    </message>
    <message>
        <source>Turn Off Tool Source</source>
        <translation>Ausschalten der Werkzeugquelle</translation>
    </message>
</context>
<context>
    <name>actions</name>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n Notiz</numerusform>
            <numerusform>%n Notizen</numerusform>
        </translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Notiz</translation>
    </message>
    <message>
        <source>its settings</source>
        <translation>die Einstellungen</translation>
    </message>
    <message>
        <source>{name} is the default toolset</source>
        <translation>{name} ist der Standardsatz</translation>
    </message>
    <message>
        <source>Notes paused</source>
        <translation>Notizen angehalten</translation>
    </message>
    <message>
        <source>Notes resumed</source>
        <translation>Notizen fortgesetzt</translation>
    </message>
    <message>
        <source>Lost rules dropped</source>
        <translation>Verlorene Regeln verworfen</translation>
    </message>
    <message>
        <source>{assistant} uses the default toolset</source>
        <translation>{assistant} nutzt den Standardsatz</translation>
    </message>
    <message>
        <source>{name} given to {assistant}</source>
        <translation>{name} an {assistant} gegeben</translation>
    </message>
    <message>
        <source>Toolset “{name}” created</source>
        <translation>Werkzeugsatz „{name}“ angelegt</translation>
    </message>
    <message>
        <source>Toolset renamed to “{name}”</source>
        <translation>Werkzeugsatz in „{name}“ umbenannt</translation>
    </message>
    <message>
        <source>Prompt about {tool} added to the bench</source>
        <translation>Aufgabe zu {tool} zum Prüfstand hinzugefügt</translation>
    </message>
    <message>
        <source>Toolset “{name}” deleted</source>
        <translation>Werkzeugsatz „{name}“ gelöscht</translation>
    </message>
    <message>
        <source>{tool} added to {name}</source>
        <translation>{tool} zu {name} hinzugefügt</translation>
    </message>
    <message numerus="yes">
        <source>%n tools added to {name}</source>
        <translation>
            <numerusform>%n Werkzeug zu {name} hinzugefügt</numerusform>
            <numerusform>%n Werkzeuge zu {name} hinzugefügt</numerusform>
        </translation>
    </message>
    <message>
        <source>{change} with {what}</source>
        <translation>{change} mit {what}</translation>
    </message>
    <message>
        <source>1 tool removed from {name}</source>
        <translation>1 Werkzeug aus {name} entfernt</translation>
    </message>
    <message numerus="yes">
        <source>%n tools removed from {name}</source>
        <translation>
            <numerusform>%n Werkzeug aus {name} entfernt</numerusform>
            <numerusform>%n Werkzeuge aus {name} entfernt</numerusform>
        </translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation>Neuer Werkzeugsatz</translation>
    </message>
    <message>
        <source>1 tool moved to {name}</source>
        <translation>1 Werkzeug nach {name} verschoben</translation>
    </message>
    <message numerus="yes">
        <source>%n tools moved to {name}</source>
        <translation>
            <numerusform>%n Werkzeug nach {name} verschoben</numerusform>
            <numerusform>%n Werkzeuge nach {name} verschoben</numerusform>
        </translation>
    </message>
    <message>
        <source>1 tool of {name} turned on</source>
        <translation>1 Werkzeug aus {name} eingeschaltet</translation>
    </message>
    <message>
        <source>1 tool of {name} turned off</source>
        <translation>1 Werkzeug aus {name} ausgeschaltet</translation>
    </message>
    <message numerus="yes">
        <source>%n tools of {name} turned on</source>
        <translation>
            <numerusform>%n Werkzeug aus {name} eingeschaltet</numerusform>
            <numerusform>%n Werkzeuge aus {name} eingeschaltet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tools of {name} turned off</source>
        <translation>
            <numerusform>%n Werkzeug aus {name} ausgeschaltet</numerusform>
            <numerusform>%n Werkzeuge aus {name} ausgeschaltet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What {name} is sent and answers is kept for %n days</source>
        <translation>
            <numerusform>Was {name} gesendet wird und antwortet, wird %n Tag aufbewahrt</numerusform>
            <numerusform>Was {name} gesendet wird und antwortet, wird %n Tage aufbewahrt</numerusform>
        </translation>
    </message>
    <message>
        <source>What {name} is sent and answers is no longer kept</source>
        <translation>Was {name} gesendet wird und antwortet, wird nicht mehr aufbewahrt</translation>
    </message>
    <message>
        <source>Note “{name}” written</source>
        <translation>Notiz „{name}“ geschrieben</translation>
    </message>
    <message>
        <source>Note “{name}” renamed to “{new}”</source>
        <translation>Notiz „{name}“ in „{new}“ umbenannt</translation>
    </message>
    <message>
        <source>Note “{name}” turned on</source>
        <translation>Notiz „{name}“ eingeschaltet</translation>
    </message>
    <message>
        <source>Note “{name}” turned off</source>
        <translation>Notiz „{name}“ ausgeschaltet</translation>
    </message>
    <message>
        <source>Note “{name}” kept</source>
        <translation>Notiz „{name}“ behalten</translation>
    </message>
    <message>
        <source>Note “{name}” deleted</source>
        <translation>Notiz „{name}“ gelöscht</translation>
    </message>
    <message>
        <source>Note “{name}” moved</source>
        <translation>Notiz „{name}“ verschoben</translation>
    </message>
    <message>
        <source>Note “{name}” moved to {where}</source>
        <translation>Notiz „{name}“ verschoben: {where}</translation>
    </message>
    <message>
        <source>Note “{name}” copied to {where}</source>
        <translation>Notiz „{name}“ kopiert: {where}</translation>
    </message>
    <message>
        <source>every tool</source>
        <translation>alle Werkzeuge</translation>
    </message>
    <message>
        <source>all {source} tools</source>
        <translation>alle Werkzeuge von {source}</translation>
    </message>
    <message>
        <source>{tool} in every toolset</source>
        <translation>{tool} in jedem Werkzeugsatz</translation>
    </message>
    <message>
        <source>{tool} in {toolset}</source>
        <translation>{tool} in {toolset}</translation>
    </message>
    <message>
        <source>Variables passed on to {server}</source>
        <translation>Variablen an {server} weitergegeben</translation>
    </message>
    <message>
        <source>{server} runs in a container</source>
        <translation>{server} läuft in einem Container</translation>
    </message>
    <message>
        <source>Change of {tool} accepted</source>
        <translation>Änderung von {tool} angenommen</translation>
    </message>
    <message>
        <source>old version of {tool} kept</source>
        <translation>Alte Fassung von {tool} behalten</translation>
    </message>
    <message>
        <source>{tool} always allowed with these arguments</source>
        <translation>{tool} mit diesen Argumenten immer erlaubt</translation>
    </message>
    <message>
        <source>{server} removed</source>
        <translation>{server} entfernt</translation>
    </message>
    <message>
        <source>1 note moved to another tool</source>
        <translation>1 Notiz zu einem anderen Werkzeug verschoben</translation>
    </message>
    <message numerus="yes">
        <source>%n notes moved to another tool</source>
        <translation>
            <numerusform>%n Notiz zu einem anderen Werkzeug verschoben</numerusform>
            <numerusform>%n Notizen zu einem anderen Werkzeug verschoben</numerusform>
        </translation>
    </message>
    <message>
        <source>Moved to {tool}</source>
        <translation>Zu {tool} verschoben</translation>
    </message>
    <message>
        <source>{server} turned on</source>
        <translation>{server} eingeschaltet</translation>
    </message>
    <message>
        <source>{server} turned off</source>
        <translation>{server} ausgeschaltet</translation>
    </message>
    <message>
        <source>Behavior of {tool} changed</source>
        <translation>Verhalten von {tool} geändert</translation>
    </message>
    <message>
        <source>Ask me first turned on for {tool}</source>
        <translation>„Mich zuerst fragen“ für {tool} eingeschaltet</translation>
    </message>
    <message>
        <source>Ask me first turned off for {tool}</source>
        <translation>„Mich zuerst fragen“ für {tool} ausgeschaltet</translation>
    </message>
    <message numerus="yes">
        <source>Ask me first turned on for %n tools</source>
        <translation>
            <numerusform>„Mich vorher fragen“ für %n Werkzeug eingeschaltet</numerusform>
            <numerusform>„Mich vorher fragen“ für %n Werkzeuge eingeschaltet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Ask me first turned off for %n tools</source>
        <translation>
            <numerusform>„Mich vorher fragen“ für %n Werkzeug ausgeschaltet</numerusform>
            <numerusform>„Mich vorher fragen“ für %n Werkzeuge ausgeschaltet</numerusform>
        </translation>
    </message>
    <message>
        <source>{tool} turned on</source>
        <translation>{tool} eingeschaltet</translation>
    </message>
    <message>
        <source>{tool} turned off</source>
        <translation>{tool} ausgeschaltet</translation>
    </message>
    <message>
        <source>Confirmation word changed for {tool}</source>
        <translation>Bestätigungswort für {tool} geändert</translation>
    </message>
    <message>
        <source>Name of {tool} changed</source>
        <translation>Name von {tool} geändert</translation>
    </message>
    <message>
        <source>Category of {tool} changed</source>
        <translation>Kategorie von {tool} geändert</translation>
    </message>
    <message>
        <source>When to use {tool} written</source>
        <translation>Wann {tool} verwendet wird, geschrieben</translation>
    </message>
    <message>
        <source>Instructions for {tool} written</source>
        <translation>Anweisungen für {tool} geschrieben</translation>
    </message>
    <message>
        <source>A paragraph of {tool} muted</source>
        <translation>Ein Absatz von {tool} stummgeschaltet</translation>
    </message>
    <message>
        <source>A paragraph of {tool} read again</source>
        <translation>Ein Absatz von {tool} wird wieder gelesen</translation>
    </message>
    <message>
        <source>{tool} in guides changed</source>
        <translation>{tool} in Anleitungen geändert</translation>
    </message>
    <message numerus="yes">
        <source>%n tools in guides changed</source>
        <translation>
            <numerusform>%n Werkzeug in Anleitungen geändert</numerusform>
            <numerusform>%n Werkzeuge in Anleitungen geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>{tool} where it is listed</source>
        <translation>{tool} nur, wo es aufgeführt ist</translation>
    </message>
    <message>
        <source>Your words on {argument} of {tool} written</source>
        <translation>Ihre Worte zu {argument} von {tool} geschrieben</translation>
    </message>
    <message>
        <source>Any value of {argument} in {tool} allowed</source>
        <translation>Jeder Wert für {argument} in {tool} erlaubt</translation>
    </message>
    <message>
        <source>Values of {argument} in {tool} limited</source>
        <translation>Werte für {argument} in {tool} eingeschränkt</translation>
    </message>
    <message>
        <source>Parameter {argument} of {tool} hidden</source>
        <translation>Parameter {argument} von {tool} verborgen</translation>
    </message>
    <message>
        <source>Default of {argument} in {tool} changed</source>
        <translation>Vorgabe für {argument} in {tool} geändert</translation>
    </message>
    <message>
        <source>Notes imported into {name}</source>
        <translation>Notizen in {name} importiert</translation>
    </message>
    <message>
        <source>Purpose of {name} changed</source>
        <translation>Zweck von {name} geändert</translation>
    </message>
    <message>
        <source>Instructions of {name} written</source>
        <translation>Anweisungen von {name} geschrieben</translation>
    </message>
    <message>
        <source>Task types of {name} changed</source>
        <translation>Aufgabenarten von {name} geändert</translation>
    </message>
    <message>
        <source>Parameter {argument} of {tool}: assistant decides</source>
        <translation>Parameter {argument} von {tool}: Assistent entscheidet</translation>
    </message>
    <message>
        <source>Parameters simplified for {assistant}</source>
        <translation>Parameter für {assistant} vereinfacht</translation>
    </message>
    <message>
        <source>Parameters unchanged for {assistant}</source>
        <translation>Parameter für {assistant} unverändert</translation>
    </message>
    <message>
        <source>Limits and names of {assistant} set</source>
        <translation>Grenzen und Namen von {assistant} festgelegt</translation>
    </message>
    <message>
        <source>{assistant} gets the whole list</source>
        <translation>{assistant} bekommt die ganze Liste</translation>
    </message>
    <message>
        <source>{assistant} searches for its tools</source>
        <translation>{assistant} sucht nach Werkzeugen</translation>
    </message>
    <message>
        <source>{assistant} searches where its list is too long</source>
        <translation>{assistant} sucht, wenn die Liste zu lang ist</translation>
    </message>
    <message>
        <source>{assistant} may write notes</source>
        <translation>{assistant} darf Notizen schreiben</translation>
    </message>
    <message>
        <source>{assistant} may not write notes</source>
        <translation>{assistant} darf keine Notizen schreiben</translation>
    </message>
    <message>
        <source>{assistant} may change its toolset</source>
        <translation>{assistant} darf den Werkzeugsatz wechseln</translation>
    </message>
    <message>
        <source>{assistant} may not change its toolset</source>
        <translation>{assistant} darf den Werkzeugsatz nicht wechseln</translation>
    </message>
    <message>
        <source>Preferences for {assistant} set</source>
        <translation>Vorlieben für {assistant} gesetzt</translation>
    </message>
    <message>
        <source>{assistant} uses the older protocol</source>
        <translation>{assistant} verwendet das ältere Protokoll</translation>
    </message>
    <message>
        <source>{assistant} chooses its protocol</source>
        <translation>{assistant} wählt das Protokoll selbst</translation>
    </message>
    <message>
        <source>Instructions of {source} turned on</source>
        <translation>Anweisungen von {source} eingeschaltet</translation>
    </message>
    <message>
        <source>Instructions of {source} turned off</source>
        <translation>Anweisungen von {source} ausgeschaltet</translation>
    </message>
    <message>
        <source>Instructions of {source} turned on for {assistant}</source>
        <translation>Anweisungen von {source} für {assistant} eingeschaltet</translation>
    </message>
    <message>
        <source>Instructions of {source} turned off for {assistant}</source>
        <translation>Anweisungen von {source} für {assistant} ausgeschaltet</translation>
    </message>
    <message>
        <source>{source} waits for you when it changes a tool</source>
        <translation>{source} wartet auf Sie, bevor es ein geändertes Werkzeug verwendet</translation>
    </message>
    <message>
        <source>Changes of {source} are used at once</source>
        <translation>Änderungen von {source} gelten sofort</translation>
    </message>
    <message>
        <source>{source} keeps its heading like that of your notes</source>
        <translation>{source} behält die Überschrift wie die Ihrer Notizen</translation>
    </message>
    <message>
        <source>The heading of {source} like that of your notes is replaced</source>
        <translation>Die Überschrift von {source} wie die Ihrer Notizen wird ersetzt</translation>
    </message>
    <message>
        <source>Note on {source} written</source>
        <translation>Notiz zu {source} geschrieben</translation>
    </message>
    <message>
        <source>New instructions of {source} accepted</source>
        <translation>Neue Anweisungen von {source} übernommen</translation>
    </message>
    <message>
        <source>Old instructions of {source} kept</source>
        <translation>Alte Anweisungen von {source} beibehalten</translation>
    </message>
    <message>
        <source>All assistants search for their tools</source>
        <translation>Alle Assistenten suchen nach ihren Werkzeugen</translation>
    </message>
</context>
<context>
    <name>activity</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Worked</source>
        <translation>Gelungen</translation>
    </message>
    <message>
        <source>Not allowed</source>
        <translation>Nicht erlaubt</translation>
    </message>
    <message>
        <source>Canceled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>{outcome}, allowed</source>
        <translation>{outcome}, erlaubt</translation>
    </message>
    <message>
        <source>{count} s</source>
        <translation>{count} s</translation>
    </message>
    <message>
        <source>Current</source>
        <translation>Aktuell</translation>
    </message>
    <message>
        <source>1 change old</source>
        <translation>1 Änderung alt</translation>
    </message>
    <message numerus="yes">
        <source>%n changes old</source>
        <translation>
            <numerusform>%n Änderung alt</numerusform>
            <numerusform>%n Änderungen alt</numerusform>
        </translation>
    </message>
    <message>
        <source>today at {time}</source>
        <translation>heute um {time}</translation>
    </message>
    <message>
        <source>on {day} at {time}</source>
        <translation>am {day} um {time}</translation>
    </message>
</context>
<context>
    <name>adding</name>
    <message>
        <source>Add its tools to</source>
        <translation>Werkzeuge hinzufügen zu</translation>
    </message>
    <message>
        <source>No toolset</source>
        <translation>Kein Werkzeugsatz</translation>
    </message>
    <message>
        <source>No assistant gets its tools until you add them to a toolset.</source>
        <translation>Kein Assistent bekommt diese Werkzeuge, bis Sie sie einem Werkzeugsatz hinzufügen.</translation>
    </message>
    <message>
        <source>new assistants</source>
        <translation>neue Assistenten</translation>
    </message>
    <message>
        <source>{assistants} use {toolset}.</source>
        <translation>{assistants} verwenden {toolset}.</translation>
    </message>
    <message>
        <source>New assistants use {toolset}.</source>
        <translation>Neue Assistenten nutzen {toolset}.</translation>
    </message>
    <message>
        <source>Used by {assistants}.</source>
        <translation>Genutzt von {assistants}.</translation>
    </message>
    <message>
        <source>No assistant uses {toolset} yet.</source>
        <translation>Noch nutzt kein Assistent {toolset}.</translation>
    </message>
</context>
<context>
    <name>assistants</name>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>Eingerichtet</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Reading your changes</source>
        <translation>Liest Ihre Änderungen</translation>
    </message>
    <message>
        <source>Restart needed</source>
        <translation>Neustart nötig</translation>
    </message>
</context>
<context>
    <name>budget</name>
    <message>
        <source>{toolset}: 1 tool not called in 30 days, {tokens} tokens</source>
        <translation>{toolset}: 1 Werkzeug seit 30 Tagen nicht aufgerufen, {tokens} Token</translation>
    </message>
    <message numerus="yes">
        <source>{toolset}: %n tools not called in 30 days, {tokens} tokens</source>
        <translation>
            <numerusform>{toolset}: %n Werkzeug seit 30 Tagen nicht aufgerufen, {tokens} Token</numerusform>
            <numerusform>{toolset}: %n Werkzeuge seit 30 Tagen nicht aufgerufen, {tokens} Token</numerusform>
        </translation>
    </message>
    <message>
        <source>Turn it off</source>
        <translation>Ausschalten</translation>
    </message>
    <message numerus="yes">
        <source>Turn off these %n</source>
        <translation>
            <numerusform>Dieses %n ausschalten</numerusform>
            <numerusform>Diese %n ausschalten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>built-in tools</name>
    <message>
        <source>List available tools</source>
        <translation>Verfügbare Werkzeuge zeigen</translation>
    </message>
    <message>
        <source>Shows the assistant every tool there is, in the toolset or not.</source>
        <translation>Zeigt dem Assistenten jedes Werkzeug, ob im Werkzeugsatz oder nicht.</translation>
    </message>
    <message>
        <source>Build a toolset</source>
        <translation>Werkzeugsatz zusammenstellen</translation>
    </message>
    <message>
        <source>Lets the assistant put a new toolset together.</source>
        <translation>Lässt den Assistenten einen neuen Werkzeugsatz zusammenstellen.</translation>
    </message>
    <message>
        <source>List toolsets</source>
        <translation>Werkzeugsätze zeigen</translation>
    </message>
    <message>
        <source>Shows the assistant which toolsets there are.</source>
        <translation>Zeigt dem Assistenten, welche Werkzeugsätze es gibt.</translation>
    </message>
    <message>
        <source>Use a toolset</source>
        <translation>Werkzeugsatz verwenden</translation>
    </message>
    <message>
        <source>Lets the assistant change to another of your toolsets.</source>
        <translation>Lässt den Assistenten zu einem anderen Ihrer Werkzeugsätze wechseln.</translation>
    </message>
    <message>
        <source>Delete a toolset</source>
        <translation>Werkzeugsatz löschen</translation>
    </message>
    <message>
        <source>Lets the assistant delete a toolset; you can undo it.</source>
        <translation>Lässt den Assistenten einen Werkzeugsatz löschen; Sie können es rückgängig machen.</translation>
    </message>
    <message>
        <source>Put the toolset away</source>
        <translation>Werkzeugsatz weglegen</translation>
    </message>
    <message>
        <source>Lets the assistant go on without a toolset.</source>
        <translation>Lässt den Assistenten ohne Werkzeugsatz weitermachen.</translation>
    </message>
    <message>
        <source>Show the toolset in use</source>
        <translation>Verwendeten Werkzeugsatz zeigen</translation>
    </message>
    <message>
        <source>Tells the assistant which toolset it has.</source>
        <translation>Sagt dem Assistenten, welchen Werkzeugsatz er hat.</translation>
    </message>
    <message>
        <source>Add notes</source>
        <translation>Notizen hinzufügen</translation>
    </message>
    <message>
        <source>Lets the assistant write down what it learned about a tool.</source>
        <translation>Lässt den Assistenten aufschreiben, was er über ein Werkzeug gelernt hat.</translation>
    </message>
    <message>
        <source>Change its notes</source>
        <translation>Eigene Notizen ändern</translation>
    </message>
    <message>
        <source>Lets the assistant correct notes that it wrote itself.</source>
        <translation>Lässt den Assistenten Notizen verbessern, die er selbst geschrieben hat.</translation>
    </message>
    <message>
        <source>Remove its notes</source>
        <translation>Eigene Notizen entfernen</translation>
    </message>
    <message>
        <source>Lets the assistant remove notes that it wrote itself.</source>
        <translation>Lässt den Assistenten Notizen entfernen, die er selbst geschrieben hat.</translation>
    </message>
    <message>
        <source>List notes</source>
        <translation>Notizen zeigen</translation>
    </message>
    <message>
        <source>Shows the assistant the notes on its tools.</source>
        <translation>Zeigt dem Assistenten die Notizen zu seinen Werkzeugen.</translation>
    </message>
    <message>
        <source>Tool guide</source>
        <translation>Anleitung zu den Werkzeugen</translation>
    </message>
    <message>
        <source>Gives the assistant a guide to its tools, for the task at hand.</source>
        <translation>Gibt dem Assistenten eine Anleitung zu seinen Werkzeugen, passend zur Aufgabe.</translation>
    </message>
    <message>
        <source>Search tools</source>
        <translation>Werkzeuge suchen</translation>
    </message>
    <message>
        <source>Finds tools that are not listed one by one.</source>
        <translation>Findet Werkzeuge, die nicht einzeln aufgeführt sind.</translation>
    </message>
    <message>
        <source>Call a tool</source>
        <translation>Werkzeug aufrufen</translation>
    </message>
    <message>
        <source>Uses a tool that was found by searching.</source>
        <translation>Verwendet ein Werkzeug, das durch Suchen gefunden wurde.</translation>
    </message>
</context>
<context>
    <name>catalog</name>
    <message>
        <source>Added</source>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <source>Official</source>
        <translation>Offiziell</translation>
    </message>
    <message>
        <source>By {publisher}</source>
        <translation>Von {publisher}</translation>
    </message>
    <message>
        <source>Community</source>
        <translation>Community</translation>
    </message>
    <message>
        <source>Asks you to sign in</source>
        <translation>Bittet Sie, sich anzumelden</translation>
    </message>
    <message>
        <source>Asks for an access token</source>
        <translation>Verlangt ein Zugriffstoken</translation>
    </message>
    <message>
        <source>Asks for a folder</source>
        <translation>Verlangt einen Ordner</translation>
    </message>
    <message>
        <source>Asks for a database address</source>
        <translation>Verlangt eine Datenbankadresse</translation>
    </message>
    <message>
        <source>Asks for a few settings</source>
        <translation>Verlangt einige Einstellungen</translation>
    </message>
    <message>
        <source>Asks for nothing</source>
        <translation>Verlangt nichts</translation>
    </message>
    <message>
        <source>Doesn’t say what it asks for</source>
        <translation>Sagt nicht, was sie verlangt</translation>
    </message>
</context>
<context>
    <name>change_text</name>
    <message>
        <source>Something changed</source>
        <translation>Etwas wurde geändert</translation>
    </message>
    <message>
        <source>Note “{note}” added to {tool}</source>
        <translation>Notiz „{note}“ zu {tool} hinzugefügt</translation>
    </message>
    <message>
        <source>Notes added to {tool}</source>
        <translation>Notizen zu {tool} hinzugefügt</translation>
    </message>
    <message>
        <source>Notes on {tool} deleted</source>
        <translation>Notizen zu {tool} gelöscht</translation>
    </message>
    <message>
        <source>Note “{note}” on {tool} changed</source>
        <translation>Notiz „{note}“ zu {tool} geändert</translation>
    </message>
    <message>
        <source>Note “{note}” on {tool} deleted</source>
        <translation>Notiz „{note}“ zu {tool} gelöscht</translation>
    </message>
    <message>
        <source>Note “{note}” on {tool} moved</source>
        <translation>Notiz „{note}“ zu {tool} verschoben</translation>
    </message>
    <message>
        <source>Toolset “{name}” created</source>
        <translation>Werkzeugsatz „{name}“ angelegt</translation>
    </message>
    <message>
        <source>Toolset “{name}” deleted</source>
        <translation>Werkzeugsatz „{name}“ gelöscht</translation>
    </message>
    <message>
        <source>No default toolset</source>
        <translation>Kein Standardsatz</translation>
    </message>
    <message>
        <source>{name} is the default toolset</source>
        <translation>{name} ist der Standardsatz</translation>
    </message>
    <message>
        <source>Setting “{name}” changed</source>
        <translation>Einstellung „{name}“ geändert</translation>
    </message>
    <message>
        <source>Tools added to {name}</source>
        <translation>Werkzeuge zu {name} hinzugefügt</translation>
    </message>
    <message>
        <source>Settings of {tool} changed</source>
        <translation>Einstellungen von {tool} geändert</translation>
    </message>
    <message>
        <source>Tools removed from {name}</source>
        <translation>Werkzeuge aus {name} entfernt</translation>
    </message>
    <message>
        <source>{name} added</source>
        <translation>{name} hinzugefügt</translation>
    </message>
    <message>
        <source>{name} removed</source>
        <translation>{name} entfernt</translation>
    </message>
    <message>
        <source>{name} edited</source>
        <translation>{name} bearbeitet</translation>
    </message>
    <message>
        <source>Toolset of {assistant} changed</source>
        <translation>Werkzeugsatz von {assistant} geändert</translation>
    </message>
    <message>
        <source>No toolset is chosen now</source>
        <translation>Jetzt ist kein Werkzeugsatz gewählt</translation>
    </message>
    <message>
        <source>Toolset is {name} now</source>
        <translation>Werkzeugsatz ist jetzt {name}</translation>
    </message>
</context>
<context>
    <name>decisions</name>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>Definition</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Toolset</source>
        <translation>Werkzeugsatz</translation>
    </message>
    <message>
        <source>Assignment</source>
        <translation>Zuweisung</translation>
    </message>
    <message>
        <source>Tool source</source>
        <translation>Werkzeugquelle</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Publication</source>
        <translation>Veröffentlichung</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>erlaubt</translation>
    </message>
    <message>
        <source>assigned</source>
        <translation>zugewiesen</translation>
    </message>
    <message>
        <source>started anew</source>
        <translation>neu begonnen</translation>
    </message>
    <message>
        <source>canceled by the assistant</source>
        <translation>vom Assistenten abgebrochen</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>changed back</source>
        <translation>wieder wie zuvor</translation>
    </message>
    <message>
        <source>cleared</source>
        <translation>gelöscht</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>gelöscht</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>nicht erlaubt</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>abgelaufen</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>not recorded: the disk could not be written</source>
        <translation>nicht aufgezeichnet: Datenträger nicht beschreibbar</translation>
    </message>
    <message>
        <source>not waited for anymore</source>
        <translation>nicht mehr erwartet</translation>
    </message>
    <message>
        <source>created</source>
        <translation>erstellt</translation>
    </message>
    <message>
        <source>published</source>
        <translation>veröffentlicht</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>could not be read</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>open again</source>
        <translation>wieder offen</translation>
    </message>
    <message>
        <source>asked about again</source>
        <translation>wieder nachgefragt</translation>
    </message>
    <message>
        <source>not answered in time</source>
        <translation>nicht rechtzeitig beantwortet</translation>
    </message>
    <message>
        <source>refused: too many waited</source>
        <translation>abgelehnt: zu viele warteten</translation>
    </message>
    <message>
        <source>tool added</source>
        <translation>Werkzeug hinzugefügt</translation>
    </message>
    <message>
        <source>tool removed</source>
        <translation>Werkzeug entfernt</translation>
    </message>
    <message>
        <source>turned off</source>
        <translation>ausgeschaltet</translation>
    </message>
    <message>
        <source>turned on</source>
        <translation>eingeschaltet</translation>
    </message>
    <message>
        <source>default toolset</source>
        <translation>Standardsatz</translation>
    </message>
    <message>
        <source>could not be asked about</source>
        <translation>Frage war nicht möglich</translation>
    </message>
    <message>
        <source>Behavior</source>
        <translation>Verhalten</translation>
    </message>
    <message>
        <source>When to use</source>
        <translation>Wann verwenden</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Muted paragraphs</source>
        <translation>Stummgeschaltete Absätze</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>Kopfzeilen</translation>
    </message>
    <message>
        <source>When it changes a tool</source>
        <translation>Wenn sie ein Werkzeug ändert</translation>
    </message>
    <message>
        <source>All tools</source>
        <translation>Alle Werkzeuge</translation>
    </message>
    <message>
        <source>All assistants</source>
        <translation>Alle Assistenten</translation>
    </message>
    <message>
        <source>the old text is served</source>
        <translation>der alte Text gilt</translation>
    </message>
    <message>
        <source>the new text is served</source>
        <translation>der neue Text gilt</translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation>Mich vorher fragen</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Another program</source>
        <translation>Ein anderes Programm</translation>
    </message>
    <message>
        <source>An assistant</source>
        <translation>Ein Assistent</translation>
    </message>
</context>
<context>
    <name>effects</name>
    <message>
        <source>Since this note {since} calls failed. Before, {before}.</source>
        <translation>Seit dieser Notiz sind {since} Aufrufen fehlgeschlagen, vorher {before}.</translation>
    </message>
    <message>
        <source>Since this note {since} calls failed.</source>
        <translation>Seit dieser Notiz sind {since} Aufrufen fehlgeschlagen.</translation>
    </message>
    <message>
        <source>It helps.</source>
        <translation>Sie hilft.</translation>
    </message>
    <message>
        <source>It makes things worse.</source>
        <translation>Sie schadet.</translation>
    </message>
    <message>
        <source>Too few calls to say whether it helps.</source>
        <translation>Ob sie hilft, ist bei so wenigen Aufrufen nicht zu sagen.</translation>
    </message>
    <message>
        <source>No difference is certain.</source>
        <translation>Ein Unterschied ist nicht gesichert.</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} von {1}</translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>Your change is here, but {file} could not be written: {reason}. Make room or allow writing there.</source>
        <translation>Ihre Änderung ist hier, aber {file} war nicht zu schreiben: {reason}. Schaffen Sie Platz oder erlauben Sie das Schreiben dort.</translation>
    </message>
    <message>
        <source>{file}: {entry} is left out, but kept: {reason}.</source>
        <translation>{file}: {entry} wird ausgelassen, aber aufbewahrt: {reason}.</translation>
    </message>
    <message>
        <source>{file}: “{key}” is there twice; the last one counts.</source>
        <translation>{file}: „{key}“ steht zweimal da; das letzte zählt.</translation>
    </message>
    <message>
        <source>That no longer fits what is there now ({what}).</source>
        <translation>Das passt nicht mehr zu dem, was jetzt da ist ({what}).</translation>
    </message>
    <message>
        <source>“{name}” cannot be a toolset’s short name: use 2 to 50 of a–z, 0–9 and -.</source>
        <translation>„{name}“ kann kein Kurzname eines Werkzeugsatzes sein: 2 bis 50 von a–z, 0–9 und -.</translation>
    </message>
    <message>
        <source>The toolset “{name}” is not there any more.</source>
        <translation>Den Werkzeugsatz „{name}“ gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>There is a toolset “{name}” already: choose another name.</source>
        <translation>Einen Werkzeugsatz „{name}“ gibt es schon: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>The toolset “{name}” is called “{renamed}” here.</source>
        <translation>Der Werkzeugsatz „{name}“ heißt hier „{renamed}“.</translation>
    </message>
    <message>
        <source>“{name}” cannot be a note’s name: use 1 to 50 of a–z, 0–9 and -.</source>
        <translation>„{name}“ kann kein Name einer Notiz sein: 1 bis 50 von a–z, 0–9 und -.</translation>
    </message>
    <message>
        <source>A note has 1 to 4,000 characters; “{name}” has {length}. Make it shorter to have it saved.</source>
        <translation>Eine Notiz hat 1 bis 4.000 Zeichen; „{name}“ hat {length}. Kürzen Sie sie, damit sie gespeichert wird.</translation>
    </message>
    <message>
        <source>The text of “{name}” holds broken characters. Write it anew to have it saved.</source>
        <translation>Der Text von „{name}“ enthält kaputte Zeichen. Schreiben Sie ihn neu, damit er gespeichert wird.</translation>
    </message>
    <message>
        <source>There is a note “{name}” here already: choose another name.</source>
        <translation>Eine Notiz „{name}“ gibt es hier schon: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>The note “{name}” is not there any more.</source>
        <translation>Die Notiz „{name}“ gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>The note “{name}” belongs to {tool}, which is not there now. It works again when the tool returns.</source>
        <translation>Die Notiz „{name}“ gehört zu {tool}, das jetzt nicht da ist. Sie gilt wieder, wenn das Werkzeug zurückkommt.</translation>
    </message>
    <message>
        <source>Tool not found: {tool}. It works again when it returns.</source>
        <translation>Werkzeug nicht gefunden: {tool}. Es gilt wieder, wenn es zurückkommt.</translation>
    </message>
    <message>
        <source>No tool source has offered “{tool}” yet. It works as soon as one does.</source>
        <translation>Noch hat keine Werkzeugquelle „{tool}“ angeboten. Es gilt, sobald eine es tut.</translation>
    </message>
    <message>
        <source>More than one tool is called {tool}: add it again to choose.</source>
        <translation>Mehr als ein Werkzeug heißt {tool}: Nehmen Sie es noch einmal auf, um zu wählen.</translation>
    </message>
    <message>
        <source>More than one tool is called {tool}, and notes that hold everywhere know tools by name alone: put it into a toolset.</source>
        <translation>Mehrere Werkzeuge heißen {tool}, und Notizen, die überall gelten, kennen Werkzeuge nur beim Namen: Legen Sie sie in einem Werkzeugsatz ab.</translation>
    </message>
    <message>
        <source>{tool} is not in the toolset “{toolset}”.</source>
        <translation>{tool} ist nicht im Werkzeugsatz „{toolset}“.</translation>
    </message>
    <message>
        <source>{server}: the tool {tool} cannot be offered, because {reason}. Tell its maker.</source>
        <translation>{server}: Das Werkzeug {tool} kann nicht angeboten werden, weil {reason}. Sagen Sie es denen, die es gemacht haben.</translation>
    </message>
    <message>
        <source>{server} offers the tool {tool} twice; the first is used.</source>
        <translation>{server} bietet das Werkzeug {tool} zweimal an; das erste wird verwendet.</translation>
    </message>
    <message>
        <source>{server} has changed this tool since you last looked at it.</source>
        <translation>{server} hat dieses Werkzeug geändert, seit Sie zuletzt nachgesehen haben.</translation>
    </message>
    <message>
        <source>It is not known what it does: Claude Desktop lists it under “Other tools”, and assistants ask each time.</source>
        <translation>Niemand sagt, was es tut: Claude Desktop führt es unter „Weitere Werkzeuge“, und Assistenten fragen jedes Mal.</translation>
    </message>
    <message>
        <source>It only reads: Claude Desktop can allow it for good, and VS Code runs it without asking.</source>
        <translation>Es liest nur: Claude Desktop kann es auf Dauer erlauben, und VS Code führt es aus, ohne zu fragen.</translation>
    </message>
    <message>
        <source>It changes things: Claude and others ask before they use it, unless you tell them not to.</source>
        <translation>Es verändert etwas: Claude und andere fragen, bevor sie es verwenden, wenn Sie ihnen nichts anderes sagen.</translation>
    </message>
    <message>
        <source>What it does cannot be undone: Claude and others ask before they use it, some of them each time.</source>
        <translation>Was es tut, lässt sich nicht rückgängig machen: Claude und andere fragen, bevor sie es verwenden, manche jedes Mal.</translation>
    </message>
    <message>
        <source>{tool} is said to change nothing and to destroy things: only one can be true.</source>
        <translation>Von {tool} wird gesagt, dass es nichts ändert und dass es etwas zerstört: Nur eines kann stimmen.</translation>
    </message>
    <message>
        <source>{tool} is said to change nothing, but its name says “{word}”.</source>
        <translation>Von {tool} wird gesagt, dass es nichts ändert, aber in seinem Namen steht „{word}“.</translation>
    </message>
    <message>
        <source>{tool} is only used when you say so, and this call did not carry your word.</source>
        <translation>{tool} wird nur verwendet, wenn Sie es sagen, und dieser Aufruf trug Ihr Wort nicht.</translation>
    </message>
    <message>
        <source>You fixed “{argument}” of {tool}: an assistant wanted another value.</source>
        <translation>Sie haben „{argument}“ von {tool} festgelegt: Ein Assistent wollte einen anderen Wert.</translation>
    </message>
    <message>
        <source>You allow only {allowed} for “{argument}” of {tool}: an assistant wanted another value.</source>
        <translation>Sie erlauben für „{argument}“ von {tool} nur {allowed}: Ein Assistent wollte einen anderen Wert.</translation>
    </message>
    <message>
        <source>The call of {tool} could not be read.</source>
        <translation>Der Aufruf von {tool} war nicht zu lesen.</translation>
    </message>
    <message>
        <source>{tool} has no “{argument}” any more: what you set for it does nothing.</source>
        <translation>{tool} hat kein „{argument}“ mehr: Was Sie dafür gesetzt haben, bewirkt nichts.</translation>
    </message>
    <message>
        <source>{setting} can’t be set: {reason}</source>
        <translation>{setting} lässt sich nicht setzen: {reason}</translation>
    </message>
    <message>
        <source>{tool} is served as {name}: “{alias}” is taken, too long, or has letters that names cannot have.</source>
        <translation>{tool} wird als {name} angeboten: „{alias}“ ist vergeben, zu lang oder hat Zeichen, die Namen nicht haben können.</translation>
    </message>
    <message>
        <source>There is no task type “{name}”.</source>
        <translation>Eine Art der Arbeit „{name}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>{file} cannot be used: {reason}.</source>
        <translation>{file} ist nicht verwendbar: {reason}.</translation>
    </message>
    <message>
        <source>{dialect} takes names of {limit} characters: {name} is too long. Give {tool} a shorter one.</source>
        <translation>{dialect} nimmt Namen mit {limit} Zeichen: {name} ist zu lang. Geben Sie {tool} einen kürzeren.</translation>
    </message>
    <message>
        <source>{dialect} does not take the name {name} of {tool}.</source>
        <translation>{dialect} nimmt den Namen {name} von {tool} nicht.</translation>
    </message>
    <message>
        <source>{dialect} cuts descriptions at {limit} characters: this one has {length}.</source>
        <translation>{dialect} schneidet Beschreibungen nach {limit} Zeichen ab: Diese hat {length}.</translation>
    </message>
    <message>
        <source>For {dialect} the notes stand first, so that they are not cut.</source>
        <translation>Für {dialect} stehen die Notizen zuerst, damit sie nicht abgeschnitten werden.</translation>
    </message>
    <message>
        <source>Couldn’t read {file} ({reason}). Toolnote uses the newest good copy and kept the file as {kept}.</source>
        <translation>{file} konnte nicht gelesen werden ({reason}). Toolnote nutzt die neueste gute Kopie und hat die Datei als {kept} aufgehoben.</translation>
    </message>
    <message>
        <source>“{name}” has no text. Write some to have it saved.</source>
        <translation>„{name}“ hat keinen Text. Schreiben Sie etwas, damit die Notiz gespeichert wird.</translation>
    </message>
    <message>
        <source>{entry} is left out: it looks like it has a secret in it.</source>
        <translation>{entry} wird weggelassen: darin scheint ein Geheimnis zu sein.</translation>
    </message>
    <message>
        <source>The model’s endpoint: {reason}.</source>
        <translation>Der Endpunkt des Modells: {reason}.</translation>
    </message>
    <message>
        <source>{server}: the tool {tool} is offered with a change ({reason}), so that assistants accept it. Tell its maker.</source>
        <translation>{server}: Das Werkzeug {tool} wird mit einer Änderung angeboten ({reason}), damit Assistenten es annehmen. Sagen Sie es dem Hersteller.</translation>
    </message>
    <message>
        <source>{server}: the {kind} {name} cannot be offered, because {reason}. Tell its maker.</source>
        <translation>{server}: {kind} {name} kann nicht angeboten werden, denn {reason}. Sagen Sie es dem Hersteller.</translation>
    </message>
    <message>
        <source>{server}: the {kind} {name} is offered with a change ({reason}), so that assistants accept it. Tell its maker.</source>
        <translation>{server}: {kind} {name} wird mit einer Änderung angeboten ({reason}), damit Assistenten es annehmen. Sagen Sie es dem Hersteller.</translation>
    </message>
    <message>
        <source>{server} has changed its prompt {name} since you last looked at it.</source>
        <translation>{server} hat den Prompt {name} geändert, seit Sie ihn zuletzt angesehen haben.</translation>
    </message>
    <message>
        <source>{server} doesn’t run, because Toolnote is in safe mode.</source>
        <translation>{server} läuft nicht, weil Toolnote im abgesicherten Modus ist.</translation>
    </message>
    <message>
        <source>{server} has changed its instructions since you last looked at them.</source>
        <translation>{server} hat seine Anweisungen geändert, seit Sie sie zuletzt angesehen haben.</translation>
    </message>
    <message>
        <source>There is no default toolset, so assistants get none of your tools.</source>
        <translation>Es gibt keinen Standardsatz, deshalb bekommen Assistenten keines Ihrer Werkzeuge.</translation>
    </message>
    <message>
        <source>A text that you muted has changed, so it is read again. It began: “{text}”</source>
        <translation>Ein Text, den Sie stummgeschaltet haben, hat sich geändert und wird wieder gelesen. Er begann: „{text}“</translation>
    </message>
    <message>
        <source>There is no assistant type “{name}”.</source>
        <translation>Es gibt keinen Assistententyp „{name}“.</translation>
    </message>
    <message>
        <source>{dialect} may refuse {tool}: its parameters use {keyword}.</source>
        <translation>{dialect} lehnt {tool} womöglich ab: Seine Parameter nutzen {keyword}.</translation>
    </message>
    <message>
        <source>Parameters of {tool} are simplified for {dialect}: {change}.</source>
        <translation>Die Parameter von {tool} sind für {dialect} vereinfacht: {change}.</translation>
    </message>
    <message>
        <source>{dialect} warns when there are more than {limit} tools: there are {count}.</source>
        <translation>{dialect} warnt bei mehr als {limit} Werkzeugen: Es sind {count}.</translation>
    </message>
    <message>
        <source>{dialect} takes {limit} tools at most: there are {count}.</source>
        <translation>{dialect} nimmt höchstens {limit} Werkzeuge: Es sind {count}.</translation>
    </message>
    <message>
        <source>{dialect} takes about {limit} tokens of tools: these are about {count}.</source>
        <translation>{dialect} nimmt etwa {limit} Token an Werkzeugen: Diese haben etwa {count}.</translation>
    </message>
    <message>
        <source>Still to be filled in: {name}.</source>
        <translation>Noch auszufüllen: {name}.</translation>
    </message>
    <message>
        <source>{what}: about {tokens} tokens, near the {limit} that you allow.</source>
        <translation>{what}: etwa {tokens} Token, nahe an den {limit}, die Sie erlauben.</translation>
    </message>
    <message>
        <source>{what}: about {tokens} tokens, more than the {limit} that you allow.</source>
        <translation>{what}: etwa {tokens} Token, mehr als die {limit}, die Sie erlauben.</translation>
    </message>
    <message>
        <source>The tool source {server} is not there any more.</source>
        <translation>Die Werkzeugquelle {server} gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>There is a tool source {server} already: choose another name.</source>
        <translation>Eine Werkzeugquelle {server} gibt es schon: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>{server}: {field} cannot be used: {reason}.</source>
        <translation>{server}: {field} ist nicht verwendbar: {reason}.</translation>
    </message>
    <message>
        <source>{server} is Toolnote itself, which cannot be one of its own tool sources.</source>
        <translation>{server} ist Toolnote selbst, das keine seiner eigenen Werkzeugquellen sein kann.</translation>
    </message>
    <message>
        <source>{server} needs a value for {variable}. Edit it to give one.</source>
        <translation>{server} braucht einen Wert für {variable}. Bearbeiten Sie sie, um ihn anzugeben.</translation>
    </message>
    <message>
        <source>{server} needs the program {program}, which is not installed. Install it, then start again.</source>
        <translation>{server} braucht das Programm {program}, das nicht installiert ist. Installieren Sie es und starten Sie dann neu.</translation>
    </message>
    <message>
        <source>{program} could not be started: {reason}.</source>
        <translation>{program} konnte nicht gestartet werden: {reason}.</translation>
    </message>
    <message>
        <source>The folder {folder} is not there. Edit {server} to change it.</source>
        <translation>Den Ordner {folder} gibt es nicht. Bearbeiten Sie {server}, um ihn zu ändern.</translation>
    </message>
    <message>
        <source>{server} stopped by itself ({status}). Its last words may say why: {stderr}</source>
        <translation>{server} hat von selbst aufgehört ({status}). Die letzten Worte sagen vielleicht, warum: {stderr}</translation>
    </message>
    <message>
        <source>{server} gave no answer in {seconds} seconds. Start it again.</source>
        <translation>{server} hat in {seconds} Sekunden nicht geantwortet. Starten Sie neu.</translation>
    </message>
    <message>
        <source>{server} cannot be reached: {reason}. Toolnote keeps trying; check the connection.</source>
        <translation>{server} ist nicht zu erreichen: {reason}. Toolnote versucht es weiter; prüfen Sie die Verbindung.</translation>
    </message>
    <message>
        <source>{server} wants you to sign in before it shows its tools.</source>
        <translation>{server} möchte, dass Sie sich anmelden, bevor es seine Werkzeuge zeigt.</translation>
    </message>
    <message>
        <source>{server} does not answer as a tool source should: {reason}.</source>
        <translation>{server} antwortet nicht, wie eine Werkzeugquelle sollte: {reason}.</translation>
    </message>
    <message>
        <source>{server} sent more than {limit} MiB at once and was stopped. Start it again.</source>
        <translation>{server} hat mehr als {limit} MiB auf einmal gesendet und wurde angehalten. Starten Sie neu.</translation>
    </message>
    <message>
        <source>Not everything that {server} offers could be read: {reason}.</source>
        <translation>Nicht alles, was {server} bietet, war zu lesen: {reason}.</translation>
    </message>
    <message>
        <source>{server} is not ready yet.</source>
        <translation>{server} ist noch nicht bereit.</translation>
    </message>
    <message>
        <source>{server} gave {tool} no answer in {seconds} seconds.</source>
        <translation>{server} hat {tool} in {seconds} Sekunden nicht geantwortet.</translation>
    </message>
    <message>
        <source>The call was not sent: calls of this assistant without an answer have reached the limit of {limit}.</source>
        <translation>Der Aufruf wurde nicht gesendet: Unbeantwortete Aufrufe dieses Assistenten haben die Grenze von {limit} erreicht.</translation>
    </message>
    <message>
        <source>The call was not sent: calls without an answer from {server} have reached the limit of {limit}.</source>
        <translation>Der Aufruf wurde nicht gesendet: Aufrufe, die {server} noch nicht beantwortet hat, haben die Grenze von {limit} erreicht.</translation>
    </message>
    <message>
        <source>{server} stopped while {tool} ran. It is being started again.</source>
        <translation>{server} hat aufgehört, während {tool} lief. Es wird neu gestartet.</translation>
    </message>
    <message>
        <source>{server} refuses the Authorization header that you gave. Change it, or take it out to sign in.</source>
        <translation>{server} lehnt die Kopfzeile Authorization ab, die Sie angegeben haben. Ändern Sie sie, oder nehmen Sie sie heraus, um sich anzumelden.</translation>
    </message>
    <message>
        <source>{server} is missing {name}. This computer has no keychain, so enter it again.</source>
        <translation>{server} fehlt {name}. Dieser Computer hat keinen Schlüsselbund, geben Sie den Wert deshalb neu ein.</translation>
    </message>
    <message>
        <source>Your keychain is locked. {server} needs {name} from it.</source>
        <translation>Ihr Schlüsselbund ist gesperrt. {server} braucht daraus {name}.</translation>
    </message>
    <message>
        <source>Your keychain doesn’t answer. It may be waiting for you to unlock it. {server} needs {name} from it.</source>
        <translation>Ihr Schlüsselbund antwortet nicht. Vielleicht wartet er darauf, dass Sie ihn entsperren. {server} braucht daraus {name}.</translation>
    </message>
    <message>
        <source>Couldn’t read {name} of {server} from your keychain: {reason}.</source>
        <translation>{name} von {server} konnte nicht aus Ihrem Schlüsselbund gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>{server} has no secret {name}.</source>
        <translation>{server} hat kein Geheimnis {name}.</translation>
    </message>
    <message>
        <source>“{name}” cannot be a secret’s name: use letters, digits, _, . and -, with a letter first.</source>
        <translation>„{name}“ kann kein Name eines Geheimnisses sein: Buchstaben, Ziffern, _, . und -, zuerst ein Buchstabe.</translation>
    </message>
    <message>
        <source>{server} has no place where one could sign in. It may want a token in its headers: edit it.</source>
        <translation>{server} hat keine Stelle, an der man sich anmelden könnte. Vielleicht möchte es einen Schlüssel in seinen Kopfzeilen: Bearbeiten Sie sie.</translation>
    </message>
    <message>
        <source>Signing in to {server} was refused: {reason}.</source>
        <translation>Die Anmeldung bei {server} wurde abgelehnt: {reason}.</translation>
    </message>
    <message>
        <source>{server} signs in only programs that are registered there. Register Toolnote with the redirect address {redirect}, then enter the ID that you get under Edit.</source>
        <translation>Bei {server} melden sich nur Programme an, die dort registriert sind. Registrieren Sie Toolnote mit der Rücksprungadresse {redirect} und geben Sie die erhaltene ID unter Bearbeiten ein.</translation>
    </message>
    <message>
        <source>Signing in to {server} did not work: {reason}.</source>
        <translation>Die Anmeldung bei {server} ging nicht: {reason}.</translation>
    </message>
    <message>
        <source>You did not sign in to {server} within {minutes} minutes. Try again.</source>
        <translation>Sie haben sich bei {server} nicht innerhalb von {minutes} Minuten angemeldet. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>{server} wants more than you allowed for one of its tools. Sign in once more to allow it.</source>
        <translation>{server} möchte für eines seiner Werkzeuge mehr, als Sie erlaubt haben. Melden Sie sich noch einmal an, um es zu erlauben.</translation>
    </message>
    <message>
        <source>Another program has taken port {port}, so Toolnote answers on {other}. Assistants still find it.</source>
        <translation>Ein anderes Programm hat den Port {port} belegt, darum antwortet Toolnote auf {other}. Assistenten finden es trotzdem.</translation>
    </message>
    <message>
        <source>Another Toolnote is using {home} (process {pid}).</source>
        <translation>Ein anderes Toolnote verwendet {home} (Prozess {pid}).</translation>
    </message>
    <message>
        <source>There is no assistant “{client}”.</source>
        <translation>Einen Assistenten „{client}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>{client}’s file {file} cannot be read and was left alone: {reason}.</source>
        <translation>Die Datei {file} von {client} ist nicht zu lesen und wurde in Ruhe gelassen: {reason}.</translation>
    </message>
    <message>
        <source>{client}’s file {file} has changed since you looked. Look at the change again.</source>
        <translation>Die Datei {file} von {client} hat sich geändert, seit Sie nachgesehen haben. Sehen Sie sich die Änderung noch einmal an.</translation>
    </message>
    <message>
        <source>Toolnote’s entry in {client}’s file {file} was changed outside Toolnote; it was left alone.</source>
        <translation>Jemand hat Toolnotes Eintrag in der Datei {file} von {client} bearbeitet; er wurde in Ruhe gelassen.</translation>
    </message>
    <message>
        <source>{client} is not on this computer.</source>
        <translation>{client} ist nicht auf diesem Computer.</translation>
    </message>
    <message>
        <source>The part of Toolnote that serves your assistants has stopped: {reason}. Quit and open it again.</source>
        <translation>Der Teil von Toolnote, der Ihre Assistenten bedient, hat aufgehört: {reason}. Beenden und öffnen Sie Toolnote.</translation>
    </message>
    <message>
        <source>{client} has several settings files. Choose one: {files}</source>
        <translation>{client} hat mehrere Einstellungsdateien. Wählen Sie eine: {files}</translation>
    </message>
    <message>
        <source>Its own copy of {server} is turned off there, because it comes through Toolnote now.</source>
        <translation>Die eigene Kopie von {server} ist dort ausgeschaltet, weil sie jetzt über Toolnote kommt.</translation>
    </message>
    <message>
        <source>{file} cannot be read and was left alone: {reason}</source>
        <translation>{file} kann nicht gelesen werden und blieb unverändert: {reason}</translation>
    </message>
    <message>
        <source>{file} has changed since the preview. Nothing was written; try again.</source>
        <translation>{file} hat sich seit der Vorschau geändert. Es wurde nichts geschrieben; versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>{file} is not as Toolnote wrote it, so it was left alone. Rename or remove it first.</source>
        <translation>{file} ist nicht so, wie Toolnote die Datei geschrieben hat, und blieb deshalb unverändert. Benennen Sie sie zuerst um oder entfernen Sie sie.</translation>
    </message>
    <message>
        <source>Toolnote’s marks in {file} are incomplete or there twice (line {line}). Nothing was changed: repair or remove them.</source>
        <translation>Toolnotes Markierungen in {file} sind unvollständig oder doppelt (Zeile {line}). Es wurde nichts geändert: Reparieren oder entfernen Sie sie.</translation>
    </message>
    <message>
        <source>Toolnote’s part of {file} was changed there. The earlier text is in Toolnote’s backups.</source>
        <translation>Toolnotes Teil von {file} wurde dort geändert. Der frühere Text liegt in Toolnotes Sicherungen.</translation>
    </message>
    <message>
        <source>Not in it: {count} of an assistant’s notes that you have not kept.</source>
        <translation>Nicht darin: {count} Notizen eines Assistenten, die Sie nicht behalten haben.</translation>
    </message>
    <message>
        <source>A secret or an address in your notes was left out.</source>
        <translation>Ein Geheimnis oder eine Adresse in Ihren Notizen wurde weggelassen.</translation>
    </message>
    <message>
        <source>Open the MCP page of {client}’s settings and check that toolnote is turned on.</source>
        <translation>Öffnen Sie die MCP-Seite in den Einstellungen von {client} und prüfen Sie, ob toolnote eingeschaltet ist.</translation>
    </message>
    <message>
        <source>It has characters that you don’t see and assistants read.</source>
        <translation>Es enthält Zeichen, die Sie nicht sehen und Assistenten lesen.</translation>
    </message>
    <message>
        <source>It has markup that you don’t see and assistants read.</source>
        <translation>Es enthält Auszeichnungen, die Sie nicht sehen und Assistenten lesen.</translation>
    </message>
    <message>
        <source>It has encoded words that assistants can read.</source>
        <translation>Es enthält verschlüsselte Wörter, die Assistenten lesen können.</translation>
    </message>
    <message>
        <source>It poses as instructions of the system or the user.</source>
        <translation>Es gibt sich als Anweisung des Systems oder des Nutzers aus.</translation>
    </message>
    <message>
        <source>It tells assistants to hide something from you.</source>
        <translation>Es weist Assistenten an, Ihnen etwas zu verheimlichen.</translation>
    </message>
    <message>
        <source>It tells assistants to read keys, passwords or files with them.</source>
        <translation>Es weist Assistenten an, Schlüssel, Passwörter oder Dateien damit zu lesen.</translation>
    </message>
    <message>
        <source>It tells assistants how to use tools of other sources.</source>
        <translation>Es sagt Assistenten, wie sie Werkzeuge anderer Quellen verwenden sollen.</translation>
    </message>
    <message>
        <source>It tells assistants to send data elsewhere.</source>
        <translation>Es weist Assistenten an, Daten anderswohin zu senden.</translation>
    </message>
    <message>
        <source>It asks assistants for your conversation.</source>
        <translation>Es fragt Assistenten nach Ihrer Unterhaltung.</translation>
    </message>
    <message>
        <source>It tells assistants to act without asking you.</source>
        <translation>Es weist Assistenten an, zu handeln, ohne Sie zu fragen.</translation>
    </message>
    <message>
        <source>Its name looks like that of a tool of another source.</source>
        <translation>Sein Name sieht aus wie der eines Werkzeugs einer anderen Quelle.</translation>
    </message>
    <message>
        <source>It imitates the section with your notes.</source>
        <translation>Es ahmt den Abschnitt mit Ihren Notizen nach.</translation>
    </message>
    <message>
        <source>It is too long to be checked whole.</source>
        <translation>Es ist zu lang, um ganz geprüft zu werden.</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>how a day is written: Qt&apos;s format</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <comment>how a day is written: Qt&apos;s format</comment>
        <translation>d. MMMM</translation>
    </message>
    <message>
        <source>{client} keeps its settings in an older file, {file}, which Toolnote does not change.</source>
        <translation>{client} hat seine Einstellungen in einer älteren Datei, {file}, die Toolnote nicht ändert.</translation>
    </message>
    <message>
        <source>{client} uses the file {file} here. It also has {others}, which are left alone.</source>
        <translation>{client} verwendet hier die Datei {file}. Es hat auch {others}; diese werden in Ruhe gelassen.</translation>
    </message>
    <message>
        <source>The earlier Toolnote entry “{entry}” makes room.</source>
        <translation>Der frühere Toolnote-Eintrag „{entry}“ macht Platz.</translation>
    </message>
    <message>
        <source>{client} runs these itself, and gets them from Toolnote too: {servers}</source>
        <translation>{client} lässt diese selbst laufen und bekommt sie auch von Toolnote: {servers}</translation>
    </message>
    <message>
        <source>macOS runs Toolnote from a temporary place. Move it to Applications and open it from there.</source>
        <translation>macOS startet Toolnote von einem vorübergehenden Ort. Bewegen Sie es in die Programme und öffnen Sie es von dort.</translation>
    </message>
    <message>
        <source>{client} cannot be given an address.</source>
        <translation>{client} kann keine Adresse bekommen.</translation>
    </message>
    <message>
        <source>Something else is called “{taken}” there, so Toolnote’s entry is called “{entry}”.</source>
        <translation>Etwas anderes heißt dort „{taken}“, darum heißt Toolnotes Eintrag „{entry}“.</translation>
    </message>
    <message>
        <source>{file} cannot be read: {reason}.</source>
        <translation>{file} ist nicht zu lesen: {reason}.</translation>
    </message>
    <message>
        <source>Quit {client} completely (closing its window is not enough) and open it again.</source>
        <translation>Beenden Sie {client} ganz (das Fenster zu schließen genügt nicht) und öffnen Sie es wieder.</translation>
    </message>
    <message>
        <source>On the MCP page of {client}’s settings, switch toolnote off and on again.</source>
        <translation>Schalten Sie in den Einstellungen von {client} auf der Seite MCP toolnote aus und wieder ein.</translation>
    </message>
    <message>
        <source>In {client}, run the command “MCP: List Servers”, choose toolnote and start it.</source>
        <translation>Führen Sie in {client} den Befehl „MCP: List Servers“ aus, wählen Sie toolnote und starten Sie es.</translation>
    </message>
    <message>
        <source>Start a new session in {client}.</source>
        <translation>Beginnen Sie in {client} eine neue Sitzung.</translation>
    </message>
    <message>
        <source>{client} notices changes by itself.</source>
        <translation>{client} bemerkt Änderungen von selbst.</translation>
    </message>
    <message>
        <source>{client} notices changes by itself, but tools that it has used keep their old notes in running conversations: type /clear there or start a new one.</source>
        <translation>{client} bemerkt Änderungen selbst. Werkzeuge, die es schon benutzt hat, behalten in laufenden Unterhaltungen aber ihre alten Notizen: Geben Sie dort /clear ein, oder beginnen Sie eine neue.</translation>
    </message>
    <message>
        <source>{client} notices changes by itself; a new session may begin with the tools of the last one.</source>
        <translation>{client} bemerkt Änderungen selbst; eine neue Sitzung kann mit den Werkzeugen der letzten beginnen.</translation>
    </message>
    <message>
        <source>On the MCP page of {client}’s settings, switch toolnote off and on again; start its command line again.</source>
        <translation>Schalten Sie toolnote auf der MCP-Seite der Einstellungen von {client} aus und wieder ein; starten Sie es auf der Befehlszeile neu.</translation>
    </message>
    <message>
        <source>Start a new session in {client}, in a folder that it trusts: elsewhere it leaves Toolnote off.</source>
        <translation>Beginnen Sie in {client} eine neue Sitzung in einem Ordner, dem es vertraut: Anderswo lässt es Toolnote aus.</translation>
    </message>
    <message>
        <source>The public list of tool sources does not answer: {reason}.</source>
        <translation>Die öffentliche Liste der Werkzeugquellen antwortet nicht: {reason}.</translation>
    </message>
    <message>
        <source>The public list of tool sources cannot be used now: {reason}.</source>
        <translation>Die öffentliche Liste der Werkzeugquellen ist jetzt nicht verwendbar: {reason}.</translation>
    </message>
    <message>
        <source>{file}, line {line}: {reason}</source>
        <translation>{file}, Zeile {line}: {reason}</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>downloading</source>
        <translation>wird geladen</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>reconnecting</source>
        <translation>verbindet sich neu</translation>
    </message>
    <message>
        <source>needs a program</source>
        <translation>braucht ein Programm</translation>
    </message>
    <message>
        <source>needs a value</source>
        <translation>braucht einen Wert</translation>
    </message>
    <message>
        <source>sign in</source>
        <translation>anmelden</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Notiz</translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n Notiz</numerusform>
            <numerusform>%n Notizen</numerusform>
        </translation>
    </message>
    <message>
        <source>1 tool</source>
        <translation>1 Werkzeug</translation>
    </message>
    <message numerus="yes">
        <source>%n tools</source>
        <translation>
            <numerusform>%n Werkzeug</numerusform>
            <numerusform>%n Werkzeuge</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first} und {last}</translation>
    </message>
    <message numerus="yes">
        <source>%n minutes ago</source>
        <translation>
            <numerusform>vor %n Minute</numerusform>
            <numerusform>vor %n Minuten</numerusform>
        </translation>
    </message>
    <message>
        <source>an hour ago</source>
        <translation>vor einer Stunde</translation>
    </message>
    <message numerus="yes">
        <source>%n hours ago</source>
        <translation>
            <numerusform>vor %n Stunde</numerusform>
            <numerusform>vor %n Stunden</numerusform>
        </translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>gestern</translation>
    </message>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation>
            <numerusform>vor %n Tag</numerusform>
            <numerusform>vor %n Tagen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>needs</name>
    <message numerus="yes">
        <source>{source} changed %n tools</source>
        <translation>
            <numerusform>{source} hat %n Werkzeug geändert</numerusform>
            <numerusform>{source} hat %n Werkzeuge geändert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n weiteres</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Safe mode</source>
        <translation>Abgesicherter Modus</translation>
    </message>
    <message>
        <source>Toolnote is off</source>
        <translation>Toolnote ist aus</translation>
    </message>
    <message>
        <source>Toolnote is starting</source>
        <translation>Toolnote startet</translation>
    </message>
    <message>
        <source>Notes are paused</source>
        <translation>Notizen pausieren</translation>
    </message>
    <message>
        <source>Toolnote is on</source>
        <translation>Toolnote ist an</translation>
    </message>
    <message>
        <source>No tool source runs, and assistants get no tools.</source>
        <translation>Es läuft keine Werkzeugquelle, und Assistenten bekommen keine Werkzeuge.</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Assistants can’t reach Toolnote</source>
        <translation>Assistenten erreichen Toolnote nicht</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>Protokoll zeigen</translation>
    </message>
    <message>
        <source>Your rules for tools couldn’t be read</source>
        <translation>Ihre Regeln für Werkzeuge konnten nicht gelesen werden</translation>
    </message>
    <message>
        <source>You are asked before each call until you set them again, or bring back the file tools.json.</source>
        <translation>Vor jedem Aufruf werden Sie gefragt, bis Sie sie neu setzen oder die Datei tools.json zurückbringen.</translation>
    </message>
    <message>
        <source>Don’t ask anymore</source>
        <translation>Nicht mehr fragen</translation>
    </message>
    <message>
        <source>Your settings for assistants couldn’t be read</source>
        <translation>Ihre Einstellungen für Assistenten konnten nicht gelesen werden</translation>
    </message>
    <message>
        <source>They get no tools until you give them a toolset, or bring back clients.json.</source>
        <translation>Sie erhalten keine Werkzeuge, bis Sie ihnen einen Werkzeugsatz geben oder clients.json zurückbringen.</translation>
    </message>
    <message>
        <source>Use the default toolset</source>
        <translation>Standard-Werkzeugsatz verwenden</translation>
    </message>
    <message>
        <source>Your tool sources couldn’t be read</source>
        <translation>Ihre Werkzeugquellen konnten nicht gelesen werden</translation>
    </message>
    <message>
        <source>Add them again, or bring back the file servers.json. Changes of those that you add are held.</source>
        <translation>Fügen Sie sie neu hinzu, oder bringen Sie die Datei servers.json zurück. Änderungen der hinzugefügten werden zurückgehalten.</translation>
    </message>
    <message>
        <source>Hold no more changes</source>
        <translation>Änderungen nicht mehr zurückhalten</translation>
    </message>
    <message>
        <source>Your settings couldn’t be read</source>
        <translation>Ihre Einstellungen konnten nicht gelesen werden</translation>
    </message>
    <message>
        <source>Use the usual settings</source>
        <translation>Die üblichen Einstellungen verwenden</translation>
    </message>
    <message>
        <source>What you accepted of tools couldn’t be read</source>
        <translation>Was Sie von Werkzeugen angenommen haben, konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>Where changes are held, look through the tools below. Or bring back the file catalog.json.</source>
        <translation>Wo Änderungen zurückgehalten werden, sehen Sie die Werkzeuge unten durch. Oder bringen Sie die Datei catalog.json zurück.</translation>
    </message>
    <message>
        <source>I have seen it</source>
        <translation>Gesehen</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 Problem</translation>
    </message>
    <message numerus="yes">
        <source>%n problems</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>{source} changed {tool}</source>
        <translation>{source} hat {tool} geändert</translation>
    </message>
    <message>
        <source>{source} changed several prompts</source>
        <translation>{source} hat mehrere Prompts geändert</translation>
    </message>
    <message>
        <source>{source} changed its prompt {name}</source>
        <translation>{source} hat den Prompt {name} geändert</translation>
    </message>
    <message>
        <source>Assistants still read the old version.</source>
        <translation>Assistenten lesen noch die alte Fassung.</translation>
    </message>
    <message>
        <source>Assistants already read the new version.</source>
        <translation>Assistenten lesen schon die neue Fassung.</translation>
    </message>
    <message>
        <source>You have {notes} on it.</source>
        <translation>Sie haben {notes} dazu.</translation>
    </message>
    <message>
        <source>Review change</source>
        <translation>Änderung prüfen</translation>
    </message>
    <message>
        <source>{source} changed its instructions</source>
        <translation>{source} hat seine Anweisungen geändert</translation>
    </message>
    <message>
        <source>{assistant} hasn’t read your latest changes</source>
        <translation>{assistant} hat Ihre letzten Änderungen nicht gelesen</translation>
    </message>
    <message>
        <source>Quit {assistant} completely, then open it again.</source>
        <translation>Beenden Sie {assistant} ganz und öffnen Sie es wieder.</translation>
    </message>
    <message>
        <source>Toolnote’s own tools are off until you set them again, or bring back the file settings.json.</source>
        <translation>Toolnotes eigene Werkzeuge sind aus, bis Sie sie neu setzen oder die Datei settings.json zurückbringen.</translation>
    </message>
    <message>
        <source>{assistant} hasn’t read your last change</source>
        <translation>{assistant} hat Ihre letzte Änderung nicht gelesen</translation>
    </message>
    <message numerus="yes">
        <source>{assistant} hasn’t read your last %n changes</source>
        <translation>
            <numerusform>{assistant} hat Ihre letzte %n Änderung nicht gelesen</numerusform>
            <numerusform>{assistant} hat Ihre letzten %n Änderungen nicht gelesen</numerusform>
        </translation>
    </message>
    <message>
        <source>Hasn’t read your last change</source>
        <translation>Hat Ihre letzte Änderung nicht gelesen</translation>
    </message>
    <message numerus="yes">
        <source>Hasn’t read your last %n changes</source>
        <translation>
            <numerusform>Hat Ihre letzte %n Änderung nicht gelesen</numerusform>
            <numerusform>Hat Ihre letzten %n Änderungen nicht gelesen</numerusform>
        </translation>
    </message>
    <message>
        <source>Show steps</source>
        <translation>Schritte zeigen</translation>
    </message>
    <message>
        <source>Your notes are paused</source>
        <translation>Ihre Notizen pausieren</translation>
    </message>
    <message>
        <source>Assistants get the original descriptions until you resume.</source>
        <translation>Assistenten bekommen die ursprünglichen Beschreibungen, bis Sie fortfahren.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortfahren</translation>
    </message>
    <message>
        <source>1 note has lost its tool</source>
        <translation>1 Notiz hat ihr Werkzeug verloren</translation>
    </message>
    <message numerus="yes">
        <source>%n notes have lost their tools</source>
        <translation>
            <numerusform>%n Notiz hat ihr Werkzeug verloren</numerusform>
            <numerusform>%n Notizen haben ihre Werkzeuge verloren</numerusform>
        </translation>
    </message>
    <message>
        <source>They are kept and come back with their tool, or move them to another.</source>
        <translation>Sie bleiben erhalten und kommen mit ihrem Werkzeug wieder; oder verschieben Sie sie zu einem anderen.</translation>
    </message>
    <message>
        <source>The list of tools may be too long for assistants without a name</source>
        <translation>Die Werkzeugliste ist für Assistenten ohne Namen vielleicht zu lang</translation>
    </message>
    <message>
        <source>{tokens} tokens in {tools} for those that connect with Toolnote’s own token. All assistants can search for tools instead; Settings has the choice.</source>
        <translation>{tokens} Token in {tools} für alle, die sich mit dem eigenen Token von Toolnote verbinden. Stattdessen können alle Assistenten nach Werkzeugen suchen; die Einstellungen haben die Wahl.</translation>
    </message>
    <message>
        <source>Let all search</source>
        <translation>Alle suchen lassen</translation>
    </message>
    <message>
        <source>The list of tools is too long for {assistant}</source>
        <translation>Die Liste der Werkzeuge ist zu lang für {assistant}</translation>
    </message>
    <message>
        <source>{tokens} tokens in {tools}. It can search for them instead; its page has the choice.</source>
        <translation>{tokens} Token in {tools}. Er kann stattdessen danach suchen; die Wahl steht auf seiner Seite.</translation>
    </message>
    <message>
        <source>The list of tools may be too long for {assistant}</source>
        <translation>Die Liste der Werkzeuge ist vielleicht zu lang für {assistant}</translation>
    </message>
    <message>
        <source>{tokens} tokens in {tools}. It isn’t known how many it takes. It can search for them instead; its page has the choice.</source>
        <translation>{tokens} Token in {tools}. Wie viele er annimmt, ist nicht bekannt. Er kann stattdessen danach suchen; die Wahl steht auf seiner Seite.</translation>
    </message>
    <message>
        <source>Let it search</source>
        <translation>Suchen lassen</translation>
    </message>
</context>
<context>
    <name>next_steps</name>
    <message>
        <source>others</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>{names} is connected; something is left to do there.</source>
        <translation>{names} ist verbunden; dort ist noch etwas zu tun.</translation>
    </message>
    <message>
        <source>{names} is connected.</source>
        <translation>{names} ist verbunden.</translation>
    </message>
    <message>
        <source>{names} are connected; something is left to do there.</source>
        <translation>{names} sind verbunden; dort ist noch etwas zu tun.</translation>
    </message>
    <message>
        <source>{names} are connected.</source>
        <translation>{names} sind verbunden.</translation>
    </message>
</context>
<context>
    <name>notes</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>{author}, {when}</source>
        <translation>{author}, {when}</translation>
    </message>
</context>
<context>
    <name>page</name>
    <message>
        <source>{source} added</source>
        <translation>{source} hinzugefügt</translation>
    </message>
    <message numerus="yes">
        <source>%n added</source>
        <translation>
            <numerusform>%n hinzugefügt</numerusform>
            <numerusform>%n hinzugefügt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>row_actions</name>
    <message numerus="yes">
        <source>Category of %n tools changed</source>
        <translation>
            <numerusform>Kategorie von %n Werkzeug geändert</numerusform>
            <numerusform>Kategorie von %n Werkzeugen geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>Category of {tool} changed</source>
        <translation>Kategorie von {tool} geändert</translation>
    </message>
    <message numerus="yes">
        <source>Note “{name}” added to %n tools</source>
        <translation>
            <numerusform>Notiz „{name}“ zu %n Werkzeug hinzugefügt</numerusform>
            <numerusform>Notiz „{name}“ zu %n Werkzeugen hinzugefügt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tools moved</source>
        <translation>
            <numerusform>%n Werkzeug verschoben</numerusform>
            <numerusform>%n Werkzeuge verschoben</numerusform>
        </translation>
    </message>
    <message>
        <source>{tool} moved</source>
        <translation>{tool} verschoben</translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation>Neuer Werkzeugsatz</translation>
    </message>
    <message>
        <source>{server} copied as {name}</source>
        <translation>{server} als {name} kopiert</translation>
    </message>
    <message>
        <source>{name} turned on</source>
        <translation>{name} eingeschaltet</translation>
    </message>
    <message>
        <source>{name} turned off</source>
        <translation>{name} ausgeschaltet</translation>
    </message>
    <message numerus="yes">
        <source>%n turned on</source>
        <translation>
            <numerusform>%n eingeschaltet</numerusform>
            <numerusform>%n eingeschaltet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n turned off</source>
        <translation>
            <numerusform>%n ausgeschaltet</numerusform>
            <numerusform>%n ausgeschaltet</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>search</name>
    <message>
        <source>Found for “{word}”</source>
        <translation>Gefunden für „{word}“</translation>
    </message>
    <message>
        <source>delete remove disconnect erase</source>
        <translation>löschen entfernen trennen delete remove</translation>
    </message>
    <message>
        <source>add new create browse connect import</source>
        <translation>hinzufügen neu neuer anlegen verbinden importieren add new</translation>
    </message>
    <message>
        <source>settings preferences options</source>
        <translation>einstellungen optionen settings</translation>
    </message>
    <message>
        <source>share export send</source>
        <translation>teilen exportieren weitergeben share</translation>
    </message>
    <message>
        <source>try demo example tutorial</source>
        <translation>ausprobieren demo beispiel</translation>
    </message>
    <message>
        <source>quit exit close</source>
        <translation>beenden schließen quit</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Assistants</source>
        <translation>Assistenten</translation>
    </message>
    <message>
        <source>Toolsets</source>
        <translation>Werkzeugsätze</translation>
    </message>
    <message>
        <source>Tool sources</source>
        <translation>Werkzeugquellen</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Last opened</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Toolset</source>
        <translation>Werkzeugsatz</translation>
    </message>
    <message>
        <source>Tool source</source>
        <translation>Werkzeugquelle</translation>
    </message>
    <message>
        <source>All {source} tools</source>
        <translation>Alle Werkzeuge von {source}</translation>
    </message>
    <message>
        <source>Every tool</source>
        <translation>Jedes Werkzeug</translation>
    </message>
</context>
<context>
    <name>server_access</name>
    <message>
        <source>Kept in this computer’s keychain</source>
        <translation>Im Schlüsselbund dieses Computers</translation>
    </message>
    <message>
        <source>Kept in a file, not encrypted</source>
        <translation>In einer Datei, unverschlüsselt</translation>
    </message>
    <message>
        <source>For this session only</source>
        <translation>Nur für diese Sitzung</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Light, dark, or the same as your system.</source>
        <translation>Hell, dunkel oder wie Ihr System.</translation>
    </message>
    <message>
        <source>Same as system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>Kontrast</translation>
    </message>
    <message>
        <source>High contrast: black on white or white on black, with strong lines.</source>
        <translation>Hoher Kontrast: Schwarz auf Weiß oder Weiß auf Schwarz, mit kräftigen Linien.</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>Animations</source>
        <translation>Animationen</translation>
    </message>
    <message>
        <source>Short fades that show where something went.</source>
        <translation>Kurze Übergänge, die zeigen, wohin etwas verschwindet.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Takes effect after a restart.</source>
        <translation>Gilt nach einem Neustart.</translation>
    </message>
    <message>
        <source>When you close the window</source>
        <translation>Beim Schließen des Fensters</translation>
    </message>
    <message>
        <source>For desktops without a tray. With one, Toolnote stays in the tray.</source>
        <translation>Für Desktops ohne Infobereich. Sonst bleibt Toolnote dort.</translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation>Mich fragen</translation>
    </message>
    <message>
        <source>Minimize</source>
        <translation>Minimieren</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Local port for assistants that use an address. Takes effect after a restart.</source>
        <translation>Lokaler Port für Assistenten, die eine Adresse benutzen. Gilt nach einem Neustart.</translation>
    </message>
    <message>
        <source>Disconnect idle assistants after (minutes)</source>
        <translation>Untätige Assistenten trennen nach (Minuten)</translation>
    </message>
    <message>
        <source>They reconnect by themselves when they need a tool.</source>
        <translation>Sie verbinden sich von selbst neu, sobald sie ein Werkzeug brauchen.</translation>
    </message>
    <message>
        <source>Check for updates</source>
        <translation>Nach Aktualisierungen suchen</translation>
    </message>
    <message>
        <source>Toolnote looks at its release page once a day and sends no personal data. Updates are installed only if you agree. Not used where your system updates Toolnote.</source>
        <translation>Toolnote sieht einmal am Tag auf seiner Seite nach und sendet keine persönlichen Daten. Aktualisierungen werden nur mit Ihrer Zustimmung installiert. Nicht benutzt, wo Ihr System Toolnote aktualisiert.</translation>
    </message>
    <message>
        <source>Days of activity</source>
        <translation>Tage der Aktivität</translation>
    </message>
    <message>
        <source>For how long calls are recorded. Nothing of it leaves this computer.</source>
        <translation>Wie lange Aufrufe aufgezeichnet bleiben. Nichts davon verlässt diesen Computer.</translation>
    </message>
    <message>
        <source>Days of decisions</source>
        <translation>Tage der Entscheidungen</translation>
    </message>
    <message>
        <source>For how long it is recorded who called, changed, allowed and accepted what. No contents are recorded.</source>
        <translation>So lange wird festgehalten, wer was aufgerufen, geändert, erlaubt und angenommen hat. Inhalte werden nicht festgehalten.</translation>
    </message>
    <message>
        <source>Packs folder</source>
        <translation>Paketordner</translation>
    </message>
    <message>
        <source>Packs in it are offered on Home when they are new or change.</source>
        <translation>Pakete darin werden auf der Startseite angeboten, wenn sie neu sind oder sich ändern.</translation>
    </message>
    <message>
        <source>no folder</source>
        <translation>kein Ordner</translation>
    </message>
    <message>
        <source>Where they are kept on a computer without a keychain.</source>
        <translation>Wo sie auf einem Computer ohne Schlüsselbund aufbewahrt werden.</translation>
    </message>
    <message>
        <source>Offer to keep corrections as notes</source>
        <translation>Korrekturen als Notizen anbieten</translation>
    </message>
    <message>
        <source>When you correct how an assistant used a tool, it offers once to write that down. It is told so in about 30 tokens.</source>
        <translation>Wenn Sie korrigieren, wie ein Assistent ein Werkzeug benutzt hat, bietet er einmal an, das zu notieren. Der Hinweis darauf kostet etwa 30 Token.</translation>
    </message>
    <message>
        <source>Assistants get a search instead of the whole list. This saves tokens with very many tools, but some assistants use tools less well that way.</source>
        <translation>Assistenten erhalten eine Suche statt der ganzen Liste. Das spart Token bei sehr vielen Werkzeugen, aber manche Assistenten benutzen Werkzeuge dann schlechter.</translation>
    </message>
    <message>
        <source>Secrets without a keychain</source>
        <translation>Geheimnisse ohne Schlüsselbund</translation>
    </message>
    <message>
        <source>This session only</source>
        <translation>Nur für diese Sitzung</translation>
    </message>
    <message>
        <source>In a file, not encrypted</source>
        <translation>In einer Datei, unverschlüsselt</translation>
    </message>
    <message>
        <source>Pause your notes</source>
        <translation>Ihre Notizen ruhen lassen</translation>
    </message>
    <message>
        <source>Assistants get the original descriptions until you resume. Your notes are kept.</source>
        <translation>Assistenten bekommen die ursprünglichen Beschreibungen, bis Sie fortsetzen. Ihre Notizen bleiben erhalten.</translation>
    </message>
    <message>
        <source>Find tools by searching</source>
        <translation>Werkzeuge durch Suchen finden</translation>
    </message>
    <message>
        <source>Prefix for Toolnote’s tools</source>
        <translation>Präfix für Toolnotes Werkzeuge</translation>
    </message>
    <message>
        <source>For assistants with other tools of the same names.</source>
        <translation>Für Assistenten mit anderen Werkzeugen gleichen Namens.</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Warn above (tokens per note)</source>
        <translation>Warnen ab (Token je Notiz)</translation>
    </message>
    <message>
        <source>Leave empty for no limit.</source>
        <translation>Leer lassen für keine Grenze.</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>Warn above (tokens per tool)</source>
        <translation>Warnen ab (Token je Werkzeug)</translation>
    </message>
    <message>
        <source>Counts the tool with your notes.</source>
        <translation>Zählt das Werkzeug mit Ihren Notizen.</translation>
    </message>
    <message>
        <source>Warn above (tokens per toolset)</source>
        <translation>Warnen ab (Token je Werkzeugsatz)</translation>
    </message>
    <message>
        <source>Counts all its tools together.</source>
        <translation>Zählt alle seine Werkzeuge zusammen.</translation>
    </message>
</context>
<context>
    <name>sidebar</name>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <source>Assistants</source>
        <translation>Assistenten</translation>
    </message>
    <message>
        <source>Toolsets</source>
        <translation>Werkzeugsätze</translation>
    </message>
    <message>
        <source>Tool sources</source>
        <translation>Werkzeugquellen</translation>
    </message>
    <message>
        <source>Not running</source>
        <translation>Läuft nicht</translation>
    </message>
    <message>
        <source>1 needs you</source>
        <translation>1 braucht Sie</translation>
    </message>
    <message numerus="yes">
        <source>%n need you</source>
        <translation>
            <numerusform>%n braucht Sie</numerusform>
            <numerusform>%n brauchen Sie</numerusform>
        </translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message numerus="yes">
        <source>All %n tools…</source>
        <translation>
            <numerusform>%n Werkzeug …</numerusform>
            <numerusform>Alle %n Werkzeuge …</numerusform>
        </translation>
    </message>
    <message>
        <source>Its tool…</source>
        <translation>Sein Werkzeug …</translation>
    </message>
    <message>
        <source>Connect an assistant…</source>
        <translation>Assistenten verbinden …</translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation>Neuer Werkzeugsatz</translation>
    </message>
    <message>
        <source>Add tools…</source>
        <translation>Werkzeuge hinzufügen …</translation>
    </message>
</context>
<context>
    <name>source_state</name>
    <message>
        <source>Its tools have failed since {time}.</source>
        <translation>Ihre Werkzeuge schlagen seit {time} fehl.</translation>
    </message>
    <message>
        <source>{source} doesn’t run</source>
        <translation>{source} läuft nicht</translation>
    </message>
    <message>
        <source>Toolnote is in safe mode.</source>
        <translation>Toolnote ist im abgesicherten Modus.</translation>
    </message>
    <message>
        <source>Not running</source>
        <translation>Läuft nicht</translation>
    </message>
    <message>
        <source>{source} is starting</source>
        <translation>{source} startet</translation>
    </message>
    <message>
        <source>Its tools can be used as soon as it answers.</source>
        <translation>Die Werkzeuge sind benutzbar, sobald die Quelle antwortet.</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>Protokoll zeigen</translation>
    </message>
    <message>
        <source>{source} is being downloaded for the first time</source>
        <translation>{source} wird zum ersten Mal geladen</translation>
    </message>
    <message>
        <source>This can take a minute.</source>
        <translation>Das kann eine Minute dauern.</translation>
    </message>
    <message>
        <source>{source} isn’t answering</source>
        <translation>{source} antwortet nicht</translation>
    </message>
    <message>
        <source>Toolnote keeps trying.</source>
        <translation>Toolnote versucht es weiter.</translation>
    </message>
    <message>
        <source>Retry now</source>
        <translation>Jetzt versuchen</translation>
    </message>
    <message>
        <source>{source} needs you to sign in</source>
        <translation>Sie müssen sich bei {source} anmelden</translation>
    </message>
    <message>
        <source>Its tools appear once you have signed in.</source>
        <translation>Die Werkzeuge erscheinen, sobald Sie angemeldet sind.</translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>{source} can’t find its folder</source>
        <translation>{source} findet den Ordner nicht</translation>
    </message>
    <message>
        <source>The folder {folder} doesn’t exist.</source>
        <translation>Den Ordner {folder} gibt es nicht.</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten …</translation>
    </message>
    <message>
        <source>{source} couldn’t start</source>
        <translation>{source} konnte nicht starten</translation>
    </message>
    <message>
        <source>The log may say why.</source>
        <translation>Das Protokoll sagt vielleicht, warum.</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>{source} is off</source>
        <translation>{source} ist ausgeschaltet</translation>
    </message>
    <message>
        <source>Assistants don’t get its tools. Your notes are kept.</source>
        <translation>Assistenten erhalten die Werkzeuge nicht. Ihre Notizen bleiben erhalten.</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Its tool fails until then. Your notes are kept.</source>
        <translation>Bis dahin schlägt das Werkzeug fehl. Ihre Notizen bleiben erhalten.</translation>
    </message>
    <message numerus="yes">
        <source>Its %n tools fail until then. Your notes are kept.</source>
        <translation>
            <numerusform>Bis dahin schlägt %n Werkzeug fehl. Ihre Notizen bleiben erhalten.</numerusform>
            <numerusform>Bis dahin schlagen %n Werkzeuge fehl. Ihre Notizen bleiben erhalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>It stopped by itself. Its last line: {line}</source>
        <translation>Die Quelle hat sich beendet. Ihre letzte Zeile: {line}</translation>
    </message>
    <message>
        <source>It stopped by itself. The log may say why.</source>
        <translation>Die Quelle hat sich beendet. Das Protokoll sagt vielleicht, warum.</translation>
    </message>
    <message>
        <source>{source} doesn’t accept its key</source>
        <translation>{source} nimmt den Schlüssel nicht an</translation>
    </message>
    <message>
        <source>Its tool fails until you enter a new one. Your notes are kept.</source>
        <translation>Das Werkzeug schlägt fehl, bis Sie einen neuen eingeben. Ihre Notizen bleiben erhalten.</translation>
    </message>
    <message numerus="yes">
        <source>Its %n tools fail until you enter a new one. Your notes are kept.</source>
        <translation>
            <numerusform>%n Werkzeug schlägt fehl, bis Sie einen neuen eingeben. Ihre Notizen bleiben erhalten.</numerusform>
            <numerusform>%n Werkzeuge schlagen fehl, bis Sie einen neuen eingeben. Ihre Notizen bleiben erhalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Its tools appear once you have entered a new one.</source>
        <translation>Die Werkzeuge erscheinen, sobald Sie einen neuen eingeben.</translation>
    </message>
    <message>
        <source>Key refused</source>
        <translation>Schlüssel abgelehnt</translation>
    </message>
    <message>
        <source>Enter new key…</source>
        <translation>Neuen Schlüssel eingeben …</translation>
    </message>
    <message>
        <source>Your keychain is locked</source>
        <translation>Ihr Schlüsselbund ist gesperrt</translation>
    </message>
    <message>
        <source>{source} needs its key {name} from it.</source>
        <translation>{source} braucht daraus den Schlüssel {name}.</translation>
    </message>
    <message>
        <source>Your keychain doesn’t answer</source>
        <translation>Ihr Schlüsselbund antwortet nicht</translation>
    </message>
    <message>
        <source>It may be waiting for you to unlock it. {source} needs its key {name}.</source>
        <translation>Vielleicht wartet er darauf, dass Sie ihn entsperren. {source} braucht den Schlüssel {name}.</translation>
    </message>
    <message>
        <source>Unlock…</source>
        <translation>Entsperren …</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <source>{source} is missing a key</source>
        <translation>{source} fehlt ein Schlüssel</translation>
    </message>
    <message>
        <source>It starts once you have entered {name}.</source>
        <translation>Die Quelle startet, sobald Sie {name} eingegeben haben.</translation>
    </message>
    <message>
        <source>This computer has no keychain, so enter {name} again.</source>
        <translation>Dieser Computer hat keinen Schlüsselbund. Geben Sie {name} erneut ein.</translation>
    </message>
    <message>
        <source>Enter key…</source>
        <translation>Schlüssel eingeben …</translation>
    </message>
    <message>
        <source>Key missing</source>
        <translation>Schlüssel fehlt</translation>
    </message>
    <message>
        <source>{source} is missing a value</source>
        <translation>{source} fehlt ein Wert</translation>
    </message>
    <message>
        <source>Some value in its settings is not set.</source>
        <translation>In den Einstellungen fehlt ein Wert.</translation>
    </message>
    <message>
        <source>It starts once {name} is set.</source>
        <translation>Die Quelle startet, sobald {name} gesetzt ist.</translation>
    </message>
    <message>
        <source>Enter value…</source>
        <translation>Wert eingeben …</translation>
    </message>
    <message>
        <source>{source} needs a program that isn’t installed</source>
        <translation>{source} braucht ein Programm, das nicht installiert ist</translation>
    </message>
    <message>
        <source>{source} needs the program {program}</source>
        <translation>{source} braucht das Programm {program}</translation>
    </message>
    <message>
        <source>Install it. Toolnote starts {source} once it is there.</source>
        <translation>Installieren Sie es. Danach startet Toolnote {source}.</translation>
    </message>
    <message>
        <source>How to install</source>
        <translation>Installationshilfe</translation>
    </message>
    <message>
        <source>Install it, then restart {source}.</source>
        <translation>Installieren Sie es und starten Sie {source} neu.</translation>
    </message>
</context>
<context>
    <name>start_problems</name>
    <message>
        <source>Toolnote didn’t start last time</source>
        <translation>Toolnote ist beim letzten Mal nicht gestartet</translation>
    </message>
    <message>
        <source>Toolnote was ended while it started. If that happens again, use safe mode: it starts no tool sources and resets the window, so that you can fix what keeps Toolnote from starting.</source>
        <translation>Toolnote wurde beim Starten beendet. Geschieht das wieder, benutzen Sie den abgesicherten Modus: Er startet keine Werkzeugquellen und setzt das Fenster zurück, damit Sie beheben können, was den Start verhindert.</translation>
    </message>
    <message>
        <source>Start normally</source>
        <translation>Normal starten</translation>
    </message>
    <message>
        <source>Start in safe mode</source>
        <translation>Im abgesicherten Modus starten</translation>
    </message>
</context>
<context>
    <name>take_over</name>
    <message>
        <source>Toolnote is already serving your tools, without a window</source>
        <translation>Toolnote bedient Ihre Werkzeuge schon, ohne Fenster</translation>
    </message>
    <message>
        <source>This window can take over. Then the other Toolnote (process {pid}) ends, and connected assistants find this one by themselves. Assistants that use an address and a token need new ones.</source>
        <translation>Dieses Fenster kann übernehmen. Dann endet das andere Toolnote (Prozess {pid}), und verbundene Assistenten finden dieses von selbst. Assistenten mit Adresse und Token brauchen neue.</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>Übernehmen</translation>
    </message>
</context>
<context>
    <name>templates</name>
    <message>
        <source>How to use it</source>
        <translation>Wie es zu verwenden ist</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>How we do it</source>
        <translation>Wie wir es machen</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation>Davor und danach</translation>
    </message>
</context>
<context>
    <name>times</name>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
</context>
<context>
    <name>work</name>
    <message>
        <source>{title} {percent} %</source>
        <translation>{title} {percent} %</translation>
    </message>
    <message>
        <source>Downloading {source}</source>
        <translation>{source} wird heruntergeladen</translation>
    </message>
    <message>
        <source>Starting {source}</source>
        <translation>{source} startet</translation>
    </message>
    <message>
        <source>Adding tools</source>
        <translation>Werkzeuge werden hinzugefügt</translation>
    </message>
    <message>
        <source>Adding {source}</source>
        <translation>{source} wird hinzugefügt</translation>
    </message>
</context>
</TS>
