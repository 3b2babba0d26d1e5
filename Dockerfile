# texrepair with its engines.
# Build:  docker build -t texrepair .
# Use:  docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" texrepair build article.tex
# With a model, pass its key on as well: -e ANTHROPIC_API_KEY, before the image's name.
FROM debian:bookworm-slim

# A layer keeps whole seconds, and fontconfig takes no cache for a folder whose date differs by less: so they get such.
# Some of the folders are links into another place (poppler-data's).
# An engine takes a quarter of its start to decompress its format (texrepair/sandboxes/formats.py): here it is done once.
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        texlive-xetex texlive-luatex texlive-latex-recommended texlive-latex-extra texlive-fonts-recommended \
        texlive-science texlive-bibtex-extra texlive-publishers texlive-pictures texlive-lang-chinese \
        texlive-plain-generic texlive-extra-utils biber lmodern fonts-lmodern fonts-noto-cjk fontconfig poppler-utils \
        bubblewrap ca-certificates python3 python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && find -L /usr/share/fonts /usr/local/share/fonts /usr/share/texmf/fonts -type d -exec touch -d "$(date +%F)" {} + \
    && fc-cache --force \
    && cd /var/lib/texmf/web2c \
    && for format in xetex/xelatex.fmt pdftex/pdflatex.fmt luahbtex/lualatex.fmt; do \
        gzip --decompress --stdout "$format" >plain && mv plain "$format" || exit; done

COPY pyproject.toml README.md LICENSE /src/
COPY texrepair /src/texrepair
COPY sanitizers /src/sanitizers
COPY templates /src/templates
RUN python3 -m venv /opt/texrepair \
    && /opt/texrepair/bin/pip install --quiet --no-cache-dir --disable-pip-version-check /src \
    && rm -rf /src \
    && ln -s /opt/texrepair/bin/texrepair /usr/local/bin/texrepair \
    && useradd --create-home --uid 1000 texrepair

USER texrepair
# LuaTeX takes two seconds to list the fonts: here that is done for this user (texrepair/compile/seeds.py), in a layer
# above the fonts', where their dates are what they stay.
RUN cd "$(mktemp -d)" \
    && printf '%s\n' '\documentclass{article}' '\begin{document}' 'a' '\end{document}' >a.tex \
    && texrepair build a.tex --engine lualatex --sandbox none \
    && rm -r "$PWD"
WORKDIR /data
ENTRYPOINT ["texrepair"]
