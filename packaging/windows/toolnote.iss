; The installer for Windows: for one user, no administrator asked for.
;   ISCC /DAppVersion=0.1.0 packaging\windows\toolnote.iss
; With /DSign and "/Ssigntool=... $f" the uninstaller and the installer are signed (the programs inside were before).
#ifndef AppVersion
  #error AppVersion is needed: /DAppVersion=0.1.0
#endif
#ifndef Built
  #define Built "..\..\dist\toolnote"
#endif
#ifndef Output
  #define Output "..\..\dist"
#endif
#define Window "toolnote-desktop.exe"

[Setup]
AppId={{B0B3B8F4-55B3-4F0E-9C5D-6B6E2A1C7D41}
AppName=Toolnote
AppVersion={#AppVersion}
AppVerName=Toolnote {#AppVersion}
AppPublisher=The Toolnote developers
AppPublisherURL=https://toolnote.org
VersionInfoVersion={#AppVersion}
DefaultDirName={localappdata}\Programs\Toolnote
DefaultGroupName=Toolnote
DisableProgramGroupPage=yes
DisableDirPage=auto
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\..\LICENSE
OutputDir={#Output}
OutputBaseFilename=toolnote-{#AppVersion}-windows-x64
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
#ifexist "toolnote.ico"
SetupIconFile=toolnote.ico
#endif
UninstallDisplayIcon={app}\{#Window}
ChangesAssociations=yes
; The app is asked to end (PrepareToInstall); bridges, which assistants started and will start again, are ended.
CloseApplications=force
RestartApplications=no
#ifdef Sign
SignTool=signtool
SignedUninstaller=yes
#endif

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"

[CustomMessages]
en.StartAtLogin=Start Toolnote when I sign in
de.StartAtLogin=Toolnote beim Anmelden starten
en.Restore=Give your AI assistants back the configuration they had before Toolnote?%n%nWithout Toolnote their entry for it leads nowhere. Your notes and toolsets are kept.
de.Restore=Sollen Ihre KI-Assistenten die Konfiguration zurückbekommen, die sie vor Toolnote hatten?%n%nOhne Toolnote führt ihr Eintrag dafür ins Leere. Ihre Notizen und Werkzeugsätze bleiben erhalten.
en.ToolsetFile=Toolnote toolset
de.ToolsetFile=Toolnote-Werkzeugsatz

[Tasks]
Name: "autostart"; Description: "{cm:StartAtLogin}"
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Built}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\Toolnote"; Filename: "{app}\{#Window}"; AppUserModelID: "Toolnote.Toolnote"
Name: "{autodesktop}\Toolnote"; Filename: "{app}\{#Window}"; Tasks: desktopicon; AppUserModelID: "Toolnote.Toolnote"

[Registry]
Root: HKCU; Subkey: "Software\Microsoft\Windows\CurrentVersion\Run"; ValueType: string; ValueName: "Toolnote"; ValueData: """{app}\{#Window}"" --background"; Tasks: autostart
Root: HKCU; Subkey: "Software\Microsoft\Windows\CurrentVersion\Run"; ValueType: none; ValueName: "Toolnote"; Flags: uninsdeletevalue dontcreatekey
Root: HKCU; Subkey: "Software\Classes\toolnote"; ValueType: string; ValueData: "URL:Toolnote"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\toolnote"; ValueType: string; ValueName: "URL Protocol"; ValueData: ""
Root: HKCU; Subkey: "Software\Classes\toolnote\shell\open\command"; ValueType: string; ValueData: """{app}\{#Window}"" ""%1"""
Root: HKCU; Subkey: "Software\Classes\.toolnote\OpenWithProgids"; ValueType: string; ValueName: "Toolnote.Toolset"; ValueData: ""; Flags: uninsdeletevalue
Root: HKCU; Subkey: "Software\Classes\Toolnote.Toolset"; ValueType: string; ValueData: "{cm:ToolsetFile}"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Software\Classes\Toolnote.Toolset\DefaultIcon"; ValueType: string; ValueData: "{app}\{#Window},0"
Root: HKCU; Subkey: "Software\Classes\Toolnote.Toolset\shell\open\command"; ValueType: string; ValueData: """{app}\{#Window}"" ""%1"""

[Run]
Filename: "{app}\{#Window}"; Description: "{cm:LaunchProgram,Toolnote}"; Flags: nowait postinstall skipifsilent
; After an update the app is there again as it was: in the tray.
Filename: "{app}\{#Window}"; Parameters: "--background"; Flags: nowait; Check: IsUpdate

[Code]
function IsUpdate: Boolean;
begin
  Result := ExpandConstant('{param:UPDATE|no}') = 'yes';
end;

procedure QuitToolnote;
var
  Status: Integer;
begin
  if FileExists(ExpandConstant('{app}\{#Window}')) then
    Exec(ExpandConstant('{app}\{#Window}'), '--quit', '', SW_HIDE, ewWaitUntilTerminated, Status);
end;

function PrepareToInstall(var NeedsRestart: Boolean): String;
begin
  QuitToolnote;
  Result := '';
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Status: Integer;
begin
  if Step = usUninstall then
  begin
    QuitToolnote;
    if SuppressibleMsgBox(CustomMessage('Restore'), mbConfirmation, MB_YESNO, IDNO) = IDYES then
      Exec(ExpandConstant('{app}\toolnote.exe'), 'clients uninstall --all', '', SW_HIDE, ewWaitUntilTerminated, Status);
  end;
end;
