<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>AboutDialog</name>
    <message>
        <source>Version {version}, with Qt {qt}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Toolnote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Licence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Others’ work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for a new version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New versions come the way this one came.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This Toolnote runs from its sources: the text is among them.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AddTools</name>
    <message>
        <source>Add tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste what the tool source’s instructions tell you to use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From other programs…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the public list…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A command, a web address, or a piece of settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A command, a web address, or a piece of settings, such as
uvx mcp-server-git --repository .</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put its tools into “{0}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In your library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the tool source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connects to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can close this; it goes on in the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ArgumentLine</name>
    <message>
        <source>The assistant decides</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Has a default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always this value, hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out, hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happens with {argument}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value of {argument}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes or no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>anything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>list of: {kind}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{kind}: this is none.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ArgumentsForm</name>
    <message>
        <source>It takes no arguments.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you fix is filled in by Toolnote; the assistant neither sees nor changes it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n set by you</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>left to the assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 set by you</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantChoices</name>
    <message>
        <source>What changes for {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the change for {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide the change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is connected already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One entry is added to {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantPage</name>
    <message>
        <source>Which file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it connects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By Toolnote’s own program, which finds it by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By its address, with a token of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What changes in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it gets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch off there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They run there and come through Toolnote too. They are on again when Toolnote goes.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BehaviourForm</name>
    <message>
        <source>Can it change something?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can that be undone?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does it reach outside this computer?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the tool says: yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the tool says: no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asks others, changes nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Destroys things</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Or all at once:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer all three at once: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Less</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changes things</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>can be undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be undone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reaches outside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stays on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody says</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChoosePlace</name>
    <message>
        <source>In a toolset a note is read by whoever uses it; in every toolset, by everybody.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In “{toolset}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In every toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find a tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message>
        <source>This desktop has no tray</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>So Toolnote cannot stay there when you close its window. Minimised, it goes on serving your tools to your assistants; if it quits, they have none until you open it again. It will do the same next time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConnectDialog</name>
    <message>
        <source>Connect an assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolnote adds one entry to the assistant’s own settings file. You see it here first, and can undo it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put a new entry in its place…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New token…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take its token away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connected by hand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>copy what it needs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not found on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was connected by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} was not found on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} cannot be connected now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it the new token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep it as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disconnect…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConsentForm</name>
    <message>
        <source>Ask me before it runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reason</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everybody in the team gets a mail.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Told to the assistant, so that it can tell you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the assistant has to pass with the call. Without it the call is refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: the assistant decides by itself, and its own settings say whether it asks you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The assistant may use it only when you have clearly asked for it, and then passes {argument}: “{literal}”. Toolnote checks that, and takes it out before the tool gets the call.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>Something went wrong in Toolnote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your notes are saved, and Toolnote goes on. This report says what happened; it has no secrets in it and goes nowhere unless you send it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DesktopApp</name>
    <message>
        <source>My tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to do</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>Add from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolsets and settings ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what you dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolnote</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EditServer</name>
    <message>
        <source>Edit {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is started again when you save.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name: value, one on each line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variables</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NAME=value, one on each line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>where it is started; usually none is needed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An address begins with http:// or https://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no command.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: “{1}” is not in two parts.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EmptyPage</name>
    <message>
        <source>Add tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a tool to write a note on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you write is what every assistant reads before it uses the tool.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the first tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your tool sources are starting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Their tools show on the left as soon as they answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add more tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell your assistants how you work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a tool source, write a note on one of its tools, and every assistant reads it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Try it with a demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tools by hand…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Later</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch off in the assistants what comes through Toolnote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistants to connect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Welcome to Toolnote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your assistants use tools. Here you write notes on those tools, in your own words, and every assistant reads them. Which tools and which assistants shall it be?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No other program on this computer has tools to take over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add and connect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FoldHeader</name>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>closed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Going</name>
    <message>
        <source>action</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the toolset {name}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Grip</name>
    <message>
        <source>Drag to another place</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GuideView</name>
    <message>
        <source>What you would say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find out why the last build failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Short</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Usual</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistants that are connected can ask for this themselves. For others, copy it into the conversation or into their instructions.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind of work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About {tokens} tokens, {tools}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n left out: they do not matter there</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GuidelinesForm</name>
    <message>
        <source>Guidelines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look before you write. Say which tool you used. Never guess an id.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another kind of work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another kind of work, such as releasing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add this kind of work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every assistant that uses this toolset is told this first, and it stands in the guide.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kinds of work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An assistant that says what it is about, or what you said, gets the guide to what matters.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HandOn</name>
    <message>
        <source>Hand on a toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its tools and your notes on them, as a file. Whoever opens it sees all of it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Secrets stay here. Who opens it gives these values: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no secret in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With its tool sources, without their secrets: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolnote toolsets ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HintsForm</name>
    <message>
        <source>usually {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 to 1, usually {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These examples cannot be used: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImportServers</name>
    <message>
        <source>Toolsets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at what other programs have…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put their tools into “{0}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to know of it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tools from other programs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These are tool sources of programs on this computer. Their own settings stay as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking into it…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tools from {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each tool source runs a program on this computer or sends what you do to an address. Look at each; they arrive switched off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your assistants will read these notes. Look at each before you add it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to add.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was added. Try again, or untick the keychain to keep the values in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press again to keep the values in Toolnote’s settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Add %n</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>KeepSecrets</name>
    <message>
        <source>Keep 1 secret in the keychain, not in the settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Keep %n secrets in the keychain, not in the settings</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryMenu</name>
    <message>
        <source>Switch on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note from a template…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take out of this toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New category…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools of one category stand together in the guide that assistants read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibraryPane</name>
    <message>
        <source>Search tools and notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+F</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+  Add tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect an assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing here is like that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing here holds these words.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibraryView</name>
    <message>
        <source>Library: toolsets and tool sources</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LostNotesPage</name>
    <message>
        <source>Notes without a tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are kept, and work again when their tool returns. Or they get a new home: one press.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>every toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a tool without a name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on {tool}, in {toolset}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} of {source}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to {tool}: {why}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another tool…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the text of the note {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the note {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy its text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tool here is like theirs. You can choose one:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may belong to one of these now:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They may belong to one of these now:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has the same name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its name is like it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it takes nearly the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move {notes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move here</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MissingToolPage</name>
    <message>
        <source>Tool not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool not found  ·  in {toolset}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tool source offers it now. It works again, with your notes, as soon as one does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More than one tool source offers a tool of this name. Take it out and add the one you mean.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take it out of {toolset}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NewVersion</name>
    <message>
        <source>{size} to download. Your notes, toolsets and assistants stay as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolnote {version} is here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for new versions once a day</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is checked and here, and is installed when you quit Toolnote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The new version could not be got: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NextSteps</name>
    <message>
        <source>What to do now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Then your assistants have your tools, with your notes on them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoteCard</name>
    <message>
        <source>What can be done with this note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What should the assistant know before it uses this tool?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written by {author}, {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written by {author}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the note: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New name of the note {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the note {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What can be done with the note {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} of {most} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {tokens} tokens, more than the {most} you allow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {tokens} of {most} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too long to save: {count} of {most} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>empty: it goes when you leave it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>editing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>editing  ·  saved</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoteTemplates</name>
    <message>
        <source>Start from a template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fill in what is yours. The note can be changed afterwards like any other.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Templates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove this template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} (yours)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NotesFile</name>
    <message>
        <source>Save its notes…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take notes from a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only notes: no server, and no password in it. What is there already is never replaced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes as a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {file}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take notes from a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are no notes in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing new in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes for “{toolset}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added: {notes}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New: {notes}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There already: {notes}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NotesList</name>
    <message>
        <source>No notes yet. Write what the assistant should know before it uses this tool.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+  Add a note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use it when…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a note that begins with {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From a template…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a note from a template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change its name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch off: assistants do not see it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to another tool…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy to another tool…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as a template…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let it hold in every toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let it hold on all of {source}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let it hold on every tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let it hold in “{toolset}” only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy “{note}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move “{note}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy it there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move it there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in every toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on all of {source}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on every tool</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OneLine</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Go to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to a tool, or do something</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrows move through what is found, Enter takes it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is called that.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PreviewPane</name>
    <message>
        <source>With your notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without your notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simpler arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact data that the assistant gets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a tool to see what assistants read about it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the assistant sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the assistant reads</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProblemsPage</name>
    <message>
        <source>Problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is lost: what cannot be used is kept as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>… and %n more like these.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PurposeForm</name>
    <message>
        <source>When to use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When somebody reports a bug. Not for questions: search first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take search terms from the user’s own words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Category</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name for assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When it matters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the guide:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stands below the tool’s own words, and in the guide. Its words suggest the tool.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How to go about it, in a sentence or two. Stands before your notes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the guide lists it under; without one, under its tool source.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tool that is not always needed is told of where it matters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instead of the usual one: letters, digits, _ and -. What is too long is shortened.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when it matters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>called {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>you have said when</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing said</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReadsAs</name>
    <message>
        <source>Whose rules hold for it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rules of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it says itself: {dialect}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it says itself</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RegistryDialog</name>
    <message>
        <source>Find tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Anybody can publish in the public MCP registry: look at who made it before you add it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put its tools into “{0}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search by name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool sources that were found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there are more of this name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the public MCP registry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No network: showing the list of this release.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} This is the list of this release.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is called that. Search for a part of the name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something is missing still.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can close this; it goes on in the background.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RegistryForm</name>
    <message>
        <source>Needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does not work without this.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as it is usual there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RegistryPage</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its maker says that it is no longer looked after.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolnote cannot start it by itself ({0}). Its page says how to set it up.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connects to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starts on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At its address, {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started here: {0} {1}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SaveTemplate</name>
    <message>
        <source>Save as a template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write {example} where something else goes each time: a form asks for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it is for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The form will ask for: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The form will ask for nothing.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchChips</name>
    <message>
        <source>has notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only what has notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only what is off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only tools that have changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only tools that are not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only what has problems</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SecretValue</name>
    <message>
        <source>{0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is kept in this computer’s keychain. It stands in no file, and no assistant gets to see it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The value of {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paste or type it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the keychain. It may ask you to unlock it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can keep it elsewhere: until Toolnote ends, or in the file {0}, which is as open as your other files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until Toolnote ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the file, not encrypted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no keychain on this computer that Toolnote could use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain is locked. Unlock it, then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain does not answer. It may wait to be unlocked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SeenBy</name>
    <message>
        <source>As whom to look at it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} (any)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ServerAccess</name>
    <message>
        <source>Secrets and sign-in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You are signed in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>missing: it needs this to start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not used any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel signing in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking where to sign in…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the page again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign in on the page that has opened in your browser.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ServerChoices</name>
    <message>
        <source>Once it is on, it reads these values: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>already in your library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>called {0} there; another {0} is in your library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, </source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ServerLogView</name>
    <message>
        <source>Show what it reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy what it reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the tool source reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide what it reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing so far.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ServerPage</name>
    <message>
        <source>Tool source</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool source is on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make a copy of it, switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it offers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it is reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} is on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool source  ·  runs on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool source  ·  on the internet, at {host}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>… and %n more like these.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tools yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tools}, all of them in “{toolset}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tools}, {inside} of them in “{toolset}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add the others</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ServerProgress</name>
    <message>
        <source>What it wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ready, {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It has written nothing.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>General</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistants</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolnote’s tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolnote starts with your session, without opening its window.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SideBySide</name>
    <message>
        <source>Your notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the assistant sees</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Snippet</name>
    <message>
        <source>Any assistant that can use MCP servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy this into its settings where it lists MCP servers. The name tells you here who it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON: it starts Toolnote’s own program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TOML: it starts Toolnote’s own program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON: an address, and a token of its own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it connects</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make its token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token is shown only now. Whoever has it can use your tools.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is an assistant of this name. With a new token its old one ends.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs a token, which belongs to it alone and can be taken away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StartFailed</name>
    <message>
        <source>Toolnote could not start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your notes and toolsets are on disk as they were. The report has no secrets in it and goes nowhere unless you send it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your notes and toolsets are on disk as they were. In safe mode Toolnote starts no tool source, and its window looks as at the first start, so that you can put right what keeps it from starting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start in safe mode</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TaskTypeForm</name>
    <message>
        <source>Title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words in what you say</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words in a tool’s name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Categories</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With commas between them. One of them in what you say means this kind of work.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools with one of them in their name, category or “when to use it” matter there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All tools of these categories matter there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These tools matter there, by the names that assistants see.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As it was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: as it was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no words</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokenMeter</name>
    <message>
        <source>Small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Medium</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Very large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size}: about {total} tokens, {notes} of them your notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size}: about {total} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{toolset}” is about {tokens} tokens of the {limit} that {assistant} takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{toolset}” is about {tokens} tokens of the {limit} that you allow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{toolset}” is about {tokens} tokens in all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolList</name>
    <message>
        <source>Show it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch on or off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take out of this toolset</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolPage</name>
    <message>
        <source>Tool and your notes on it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On in this toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolsets…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the tool itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {toolsets}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in no toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In “{toolset}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} is on in {toolset}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether assistants that use this toolset get the tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>I have looked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This tool’s own words hold signs that cannot be seen but that assistants read ({count} of them). “Exact data” on the right writes them out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} does not offer this tool any more. Your notes stay, and work again when it returns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No toolset is in use, so assistants do not get this tool.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This tool is not in “{toolset}”, so assistants do not get it or your notes on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to {toolset}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show {source}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} is switched off, so assistants do not get its tools.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make a toolset with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use {toolset}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tool says nothing about itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can take: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it says of itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it needs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what it answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how it behaves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} has changed this tool since you last looked: {what}. Do your notes still fit?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change which toolsets {tool} is in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New toolset with it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>My tools</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolPanel</name>
    <message>
        <source>What it does</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask me first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When to use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its arguments</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolRecordsPage</name>
    <message>
        <source>What Toolnote itself offers to assistants, besides your tools.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{on} of {all} on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolsets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always there while assistants find tools by searching.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instructions for {tool}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What assistants should know before they use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instructions…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its tools are switched on and off in each toolset, and get their instructions there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolsetChoices</name>
    <message>
        <source>When to use it: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For all of its tools: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} (comes with its tool source)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} (not here: it works as soon as a tool source offers it)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolsetPage</name>
    <message>
        <source>Toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete this toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Who uses it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What assistants are told</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tools of this toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title of the toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in use: assistants get these tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the toolset {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter shows a tool, Space switches it on or off, Delete takes it out; drag it, or press Alt and an arrow, to move it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A toolset is a choice of tools that assistants get together.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing in it yet. Go to a tool and add it from there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing in it yet: there is no tool source to take tools from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tools</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolsetTools</name>
    <message>
        <source>Tool not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ToolsetUsers</name>
    <message>
        <source>No assistant is connected to Toolnote yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Press an assistant to give it this toolset, whichever is in use for the others.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is in use, but each of your assistants has a toolset of its own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} get it because it is in use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} gets it because it is in use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{assistant} uses {toolset}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open Toolnote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not answering: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On, your notes are paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On, no assistant connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On, %1 connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recent problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit (%1 will lose these tools)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TryTool</name>
    <message>
        <source>{source} runs it for real, as for an assistant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try “{tool}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{argument} (needed)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes no arguments.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON, such as [1, 2] or {“a”: 1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{argument}” holds something else than it should.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Still needed: {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It may change something in {source}. Run it?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yes, run it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolnote is not serving yet. Try again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It runs …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run it again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It failed after {seconds} seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It answered after {seconds} seconds.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UpdateNotices</name>
    <message>
        <source>Toolnote {version} is here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the newest version of Toolnote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether there is a new version could not be found out: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new version of Toolnote was installed. It is in use after a restart.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Warnings</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… and %n more.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WhatItGets</name>
    <message>
        <source>What it gets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The toolset in use ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} (it is gone)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>{assistant} reads its tools when it starts: quit it and open it again to show it your change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Safe mode: no tool source is started, and assistants get nothing until Toolnote starts normally.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start normally</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{assistant}: {what}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WindowMenu</name>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tools…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find tools in the public list…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add from a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hand on a toolset…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect an assistant…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the assistant sees</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pane before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Toolnote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit Toolnote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do again: {what}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>actions</name>
    <message>
        <source>“{name}” is in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your notes are paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>your notes go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{assistant} uses the toolset in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{assistant} uses “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>toolset “{name}” made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>toolset renamed to “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>toolset “{name}” deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} added to “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tools added to “{name}”</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>1 tool taken out of “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tools taken out of “{name}”</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{tool} switched on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 tool of “{name}” switched on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 tool of “{name}” switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tools of “{name}” switched on</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tools of “{name}” switched off</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>note “{name}” written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note “{name}” renamed to “{new}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note “{name}” switched on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note “{name}” switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note “{name}” removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note “{name}” moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note “{name}” copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 note moved to another tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n notes moved to another tool</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{server} switched on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tool source {server} removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what {tool} does was set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} is used without asking first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} asks first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the name of {tool} was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the category of {tool} was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>when to use {tool} was written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>instructions for {tool} were written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>how much {tool} is needed was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{argument}” of {tool} hidden</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{argument}” of {tool} has a default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{argument}” of {tool} left to the assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{assistant} gets simpler arguments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{assistant} gets arguments as they are</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>whose rules hold for {assistant} was set</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>notes of a file taken into “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guidelines of “{name}” written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kinds of work of “{name}” changed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>attention</name>
    <message>
        <source>Safe mode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistants cannot reach Toolnote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On  ·  no assistant connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>On  ·  %n assistants connected</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>On  ·  {names} connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} wants you to sign in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} needs a value that only you know</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} needs a program that is not installed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{source} could not be started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n problems</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Have a look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your notes are paused: assistants do not get them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{assistant} has not seen your last change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 tool has changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tools have changed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No assistant reads your notes yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect one</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>connect</name>
    <message>
        <source>{0} is no longer connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This takes Toolnote out of {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its other settings stay as they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} gets a new token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the token in its file changes; its old one is good for nothing then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Toolnote is in {0}, changed by somebody.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It stays as it is, unless you put a new entry in its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} cannot connect: its token is good for nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Below is its entry with a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This changes in {0}’s settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is added to {0}’s settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The green lines are new. A copy of the file as it is now is kept.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>deeds</name>
    <message numerus="yes">
        <source>category of %n tools changed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>category of {tool} changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>note “{name}” put on %n tools</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tools added to “{name}”</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{tool} added to “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tools moved</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{tool} moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} copied as {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} switched on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n switched on</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n switched off</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>described</name>
    <message>
        <source>something changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the note “{note}” was added to {tool}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the note “{note}” on {tool} was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the note “{note}” on {tool} was removed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the note “{note}” on {tool} was moved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the toolset “{name}” was made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the toolset “{name}” was deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no toolset is in use now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the toolset “{name}” is in use now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the setting “{name}” was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tools were added to “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tools were taken out of “{name}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tool source {name} was added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tool source {name} was edited</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it uses no toolset now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it uses the toolset “{name}” now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{assistant} was given other tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the tool source {name} was removed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>library</name>
    <message>
        <source>Toolsets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs a look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not in the toolset in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tool without a name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 note without a tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n notes without a tool</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n problems</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>messages</name>
    <message>
        <source>{file} could not be read ({reason}). It was kept as {kept}, and the newest good copy is in use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your change is here, but {file} could not be written: {reason}. Make room or allow writing there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}: {entry} is left out, but kept: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}: “{key}” is there twice; the last one counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>That no longer fits what is there now ({what}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” cannot be a toolset’s short name: use 2 to 50 of a–z, 0–9 and -.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The toolset “{name}” is not there any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a toolset “{name}” already: choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The toolset “{name}” is called “{renamed}” here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” cannot be a note’s name: use 1 to 50 of a–z, 0–9 and -.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A note has 1 to 4,000 characters; “{name}” has {length}. Make it shorter to have it saved.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a note “{name}” here already: choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The note “{name}” is not there any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The note “{name}” belongs to {tool}, which is not there now. It works again when the tool returns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tool not found: {tool}. It works again when it returns.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No tool source has offered “{tool}” yet. It works as soon as one does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More than one tool is called {tool}: add it again to choose.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} is not in the toolset “{toolset}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server}: the tool {tool} cannot be offered, because {reason}. Tell its maker.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server}: some assistants may refuse the tool {tool}, because {reason}. Tell its maker.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} offers the tool {tool} twice; the first is used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} has changed this tool since you last looked at it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No toolset is in use, so assistants get none of your tools.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody says what it does: Claude Desktop lists it under “Other tools”, and assistants ask each time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It only reads: Claude Desktop can allow it for good, and VS Code runs it without asking.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It changes things: Claude and others ask before they use it, unless you tell them not to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it does cannot be undone: Claude and others ask before they use it, some of them each time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} is said to change nothing and to destroy things: only one can be true.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} is said to change nothing, but its name says “{word}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} is only used when you say so, and this call did not carry your word.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You fixed “{argument}” of {tool}: an assistant wanted another value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The call of {tool} could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} has no “{argument}” any more: what you set for it does nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tool} is served as {name}: “{alias}” is taken, too long, or has letters that names cannot have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no task type “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no dialect “{name}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} cannot be used: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dialect} takes names of {limit} characters: {name} is too long. Give {tool} a shorter one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dialect} does not take the name {name} of {tool}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dialect} cuts descriptions at {limit} characters: this one has {length}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For {dialect} the notes stand first, so that they are not cut.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dialect} may refuse {tool}: its arguments use {keyword}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For {dialect} the arguments of {tool} were simplified: {change}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dialect} may refuse every tool because of what {tool} says of its answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dialect} warns when there are more than {limit} tools: there are {count}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dialect} takes {limit} tools at most: there are {count}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{dialect} takes about {limit} tokens of tools: these are about {count}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” is still to be filled in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}: about {tokens} tokens, near the {limit} that you allow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{what}: about {tokens} tokens, more than the {limit} that you allow.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The tool source {server} is not there any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is a tool source {server} already: choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server}: {field} cannot be used: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} is Toolnote itself, which cannot be one of its own tool sources.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} needs a value for {variable}. Edit it to give one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} needs the program {program}, which is not installed. Install it, then start again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{program} could not be started: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder {folder} is not there. Edit {server} to change it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} stopped by itself ({status}). Its last words may say why: {stderr}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} gave no answer in {seconds} seconds. Start it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} cannot be reached: {reason}. Toolnote keeps trying; check the connection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} wants you to sign in before it shows its tools.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} does not answer as a tool source should: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} sent more than {limit} MiB at once and was stopped. Start it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not everything that {server} offers could be read: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} is not ready yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} gave {tool} no answer in {seconds} seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} stopped while {tool} ran. It is being started again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} refuses the Authorization header that you gave. Change it, or take it out to sign in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer has no keychain, so the secret {name} of {server} is not there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain is locked. Unlock it to let {server} have its secret {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} needs {name} for {field}, and the keychain does not answer. It may wait to be unlocked.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keychain failed with the secret {name} of {server}: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} has no secret {name}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” cannot be a secret’s name: use letters, digits, _, . and -, with a letter first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} has no place where one could sign in. It may want a token in its headers: edit it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Signing in to {server} was refused: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Signing in to {server} did not work: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You did not sign in to {server} within {minutes} minutes. Try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{server} wants more than you allowed for one of its tools. Sign in once more to allow it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another program has taken port {port}, so Toolnote answers on {other}. Assistants still find it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another Toolnote is using {home} (process {pid}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no assistant “{client}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{client}’s file {file} cannot be read and was left alone: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{client}’s file {file} has changed since you looked. Look at the change again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Somebody has edited Toolnote’s entry in {client}’s file {file}; it was left alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{client} is not on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The part of Toolnote that serves your assistants has stopped: {reason}. Quit and open it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{client} has more than one file that may be in use. Choose the one: {files}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{client} keeps its settings in an older file, {file}, which Toolnote does not change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{client} uses the file {file} here. It also has {others}, which are left alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The earlier Toolnote entry “{entry}” makes room.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its own “{server}” is switched off there, because it comes through Toolnote now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{client} runs these itself, and gets them from Toolnote too: {servers}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{client} cannot be given an address.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something else is called “{taken}” there, so Toolnote’s entry is called “{entry}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} cannot be read: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit {client} completely (closing its window is not enough) and open it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the MCP page of {client}’s settings and see that toolnote is switched on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the MCP page of {client}’s settings, switch toolnote off and on again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In {client}, run the command “MCP: List Servers”, choose toolnote and start it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start a new session in {client}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{client} notices changes by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The public list of tool sources does not answer: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The public list of tool sources cannot be used now: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file}, line {line}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>downloading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reconnecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs a program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>needs a value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sign in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is starting. Its tools show here as soon as it answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is being downloaded for the first time. This can take a minute.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is on, and its tools can be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection was lost and is being made again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs a program that is not on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It needs a value that only you know.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It wants you to sign in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It could not be started.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is switched off. Its tools and your notes on them are kept, but assistants do not get them.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>next_steps</name>
    <message>
        <source>others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} is connected; something is left to do there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} is connected.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} are connected; something is left to do there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{names} are connected.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>palette</name>
    <message>
        <source>toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tool source</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>presence</name>
    <message>
        <source>It is here now and knows your newest notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is here now and has not seen your last change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was last here {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>server_access</name>
    <message>
        <source>in the keychain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in a file, not encrypted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>until Toolnote ends</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>server_states</name>
    <message>
        <source>What it reports</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it a value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sign in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit its headers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How to get it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light or dark, or as the system has it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closing the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the desktop has a tray, Toolnote stays in it. This is for desktops without one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimises</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Port</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where assistants reach Toolnote that were given an address. It changes at the next start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quiet assistants, minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An assistant that asks nothing for so long connects again when it does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for new versions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Once a day Toolnote asks its own release page, and tells it nothing. What comes is checked, and installed only if you say so. Not where your system brings new versions of Toolnote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passwords without a keychain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where they go on a computer that has no keychain: nowhere for longer than this run, or into a file that is not encrypted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This run only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Into a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause your notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistants get the tools without your notes until you go on. Nothing of them is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find tools by searching</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistants get a search instead of the whole list. It saves room where you have very many tools; some assistants use tools less well that way.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before the names of Toolnote’s tools</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For assistants that have other tools of the same names.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of one note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You are told before a note takes more. Empty: as many as it has.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of one tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You are told before a tool with your notes takes more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of a toolset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You are told before all its tools together take more.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>take_over</name>
    <message>
        <source>Toolnote is already serving your tools, without a window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This window can take over: the other one (process {pid}) ends, and assistants that Toolnote was connected to find this one by themselves. Those that were given an address and a token need new ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take over</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>templates</name>
    <message>
        <source>How to use it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How we do it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Examples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before and after</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>what_it_gets</name>
    <message>
        <source>none of your tools</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
