# On a Windows machine: the installer that was built installs, what it installs works, and it goes again without a trace.
$ErrorActionPreference = "Stop"
$setup = Get-ChildItem dist\toolnote-*-windows-x64.exe | Select-Object -First 1
$app = "$env:LOCALAPPDATA\Programs\Toolnote"

Start-Process -Wait $setup.FullName -ArgumentList "/VERYSILENT", "/SUPPRESSMSGBOXES", "/NORESTART", "/TASKS=autostart"
if (-not (Get-ItemProperty HKCU:\Software\Microsoft\Windows\CurrentVersion\Run).Toolnote) { throw "does not start at login" }
if (-not (Test-Path HKCU:\Software\Classes\toolnote\shell\open\command)) { throw "toolnote:// leads nowhere" }

python packaging\smoke.py "$app\toolnote.exe"
if ($LASTEXITCODE) { throw "the installed app does not work" }

Start-Process "$app\toolnote-desktop.exe" -ArgumentList "--background"
$endpoint = "$env:APPDATA\Toolnote\run\endpoint.json", "$env:LOCALAPPDATA\Toolnote\run\endpoint.json"
foreach ($attempt in 1..60) { if ($endpoint | Where-Object { Test-Path $_ }) { break }; Start-Sleep 1 }
if (-not ($endpoint | Where-Object { Test-Path $_ })) { throw "the window's endpoint does not answer" }

Start-Process -Wait "$app\unins000.exe" -ArgumentList "/VERYSILENT", "/SUPPRESSMSGBOXES"
if (Get-Process toolnote-desktop -ErrorAction SilentlyContinue) { throw "still runs" }
if (Test-Path HKCU:\Software\Classes\toolnote) { throw "left a URL scheme behind" }
if ((Get-ItemProperty HKCU:\Software\Microsoft\Windows\CurrentVersion\Run).Toolnote) { throw "left a start at login behind" }
